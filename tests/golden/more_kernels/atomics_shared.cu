__global__ void atomics_shared(int* out) {
  __shared__ int c[64];
  int t = threadIdx.x;
  if (t < 64) c[t] = 0;
  __syncthreads();
  int old = atomicAdd(&c[t % 5], t);
  atomicMax(&c[32 + t % 16], t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = old + c[t % 64];
}
