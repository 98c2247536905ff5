__global__ void int64_indices(const double* in, double* out, long long n) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  size_t stride = 16;
  if (i * stride < (size_t)n) out[i * stride] = in[i * stride];
  else out[n - 1 - (long long)i] = in[i];
}
