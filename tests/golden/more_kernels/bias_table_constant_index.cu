__global__ void bias_table_constant_index(const float* in, float* out) {
  __shared__ float w[12];
  int t = threadIdx.x;
  if (t < 12) w[t] = t * 0.5f;
  __syncthreads();
  float v = in[blockIdx.x * 64 + t];
  float y = w[0];
  for (int k = 1; k < 12; k++) y = y * v + w[k];
  out[blockIdx.x * 64 + t] = y;
}
