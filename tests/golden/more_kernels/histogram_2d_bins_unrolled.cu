#define BINS 64
__global__ void histogram_2d_bins_unrolled(unsigned* out, int n) {
  __shared__ unsigned h[8][BINS];
  for (int b = threadIdx.x; b < BINS; b += 32) h[threadIdx.y][b] = 0;
  __syncthreads();
  int start = blockIdx.x * 256 + threadIdx.y * 32 + threadIdx.x;
  for (int i = start; i < n; i += 256 * gridDim.x) atomicAdd(&h[threadIdx.y][(i * i + i / 7) & (BINS - 1)], 2u);
  __syncthreads();
  int tid = threadIdx.y * 32 + threadIdx.x;
  if (tid < BINS) {
    unsigned sum = 0;
#pragma unroll
    for (int r = 0; r < 8; r++) sum += h[r][tid];
    out[blockIdx.x * BINS + tid] = sum;
  }
}
