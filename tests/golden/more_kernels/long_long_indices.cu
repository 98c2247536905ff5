__global__ void long_long_indices(const double* in, double* out, long long ld) {
  __shared__ double s[64];
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x ^ 1] = in[i * ld];
  __syncthreads();
  const double* last = s + 63;
  for (long long k = 0; k < 1; ++k) out[i] = *(last - threadIdx.x) + s[(threadIdx.x * 2ll) % 64];
}
