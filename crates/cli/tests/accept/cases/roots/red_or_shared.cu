__global__ void k(int* out, const int* in, int n) {
  __shared__ unsigned s[8];
  if (threadIdx.x < 8) s[threadIdx.x] = 0;
  __syncthreads();
  unsigned old = atomicOr(&s[threadIdx.x & 7], 1u << threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x & 7];
}
