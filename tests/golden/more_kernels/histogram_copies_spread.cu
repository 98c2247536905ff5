__global__ void histogram_copies_spread(unsigned* out, int n) {
  __shared__ unsigned h[64 * 8];
  const int t = threadIdx.x;
  const int copy = t & 7;
  for (int i = t; i < 512; i += blockDim.x) h[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
    int bin = (i * 7 + (i >> 5)) & 63;
    atomicAdd(&h[bin * 8 + copy], 1u);
  }
  __syncthreads();
  if (t < 64) {
    unsigned s = 0;
    for (int c = 0; c < 8; c++) s += h[t * 8 + c];
    atomicAdd(&out[t], s);
  }
}
