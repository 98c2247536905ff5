__global__ void segmented_reduce_flags(const float* vals, const int* flags, float* out) {
  __shared__ float v[128];
  __shared__ int f[128];
  int i = threadIdx.x, g = blockIdx.x * blockDim.x + i;
  v[i] = vals[g];
  f[i] = flags[g] | (i % 16 == 0);
  __syncthreads();
  for (int d = 1; d < 128; d <<= 1) {
    float left = 0.f;
    int lf = 0;
    if (i >= d) {
      left = v[i - d];
      lf = f[i - d];
    }
    __syncthreads();
    if (i >= d) {
      v[i] = v[i] + left;
      f[i] = f[i] | lf;
    }
    __syncthreads();
  }
  out[g] = v[i] + f[i];
}
