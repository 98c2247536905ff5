#define BINS 64
__global__ void histogram_privatised_unrolled(unsigned int* out, unsigned int n) {
  __shared__ unsigned int h[8][BINS];
  unsigned int warp = threadIdx.x / 32;
  for (unsigned int b = threadIdx.x % 32; b < BINS; b += 32) h[warp][b] = 0;
  __syncthreads();
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned int key = (i * 2654435761u) >> 26;
    atomicAdd(&h[warp][key], 1);
  }
  __syncthreads();
  if (threadIdx.x < BINS) {
    unsigned int total = 0;
    for (int w = 0; w < 8; w++) total += h[w][threadIdx.x];
    atomicAdd(out + threadIdx.x, total);
  }
}
