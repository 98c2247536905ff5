__global__ void softmax_rows_unrolled(const float* in, float* out, int cols) {
  __shared__ float red[128];
  const float* row = in + blockIdx.x * cols;
  int t = threadIdx.x;
  float m = -1e30f;
  for (int j = t; j < cols; j += blockDim.x) m = fmaxf(m, row[j]);
  red[t] = m;
  __syncthreads();
  for (int s = 64; s > 0; s >>= 1) {
    if (t < s) red[t] = fmaxf(red[t], red[t + s]);
    __syncthreads();
  }
  m = red[0];
  __syncthreads();
  float sum = 0.f;
  for (int j = t; j < cols; j += blockDim.x) sum += expf(row[j] - m);
  red[t] = sum;
  __syncthreads();
  for (int s = 64; s > 0; s >>= 1) {
    if (t < s) red[t] += red[t + s];
    __syncthreads();
  }
  sum = red[0];
  for (int j = t; j < cols; j += blockDim.x) out[blockIdx.x * cols + j] = expf(row[j] - m) / sum;
}
