__global__ void double_buffered_pipeline_unrolled(const float* in, float* out) {
  __shared__ float buf[2][128];
  const float* src = in + blockIdx.x * 2048;
  int t = threadIdx.x;
  float sum = 0;
  buf[0][t] = src[t];
  __syncthreads();
  for (int step = 0; step < 16; step++) {
    int now = step & 1;
    if (step + 1 < 16) buf[now ^ 1][t] = src[(step + 1) * 128 + t];
    sum += buf[now][(t + 1) & 127] - buf[now][(t * 33) & 127];
    __syncthreads();
  }
  out[blockIdx.x * 128 + t] = sum;
}
