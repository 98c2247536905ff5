__global__ void transpose_float2_tile(const float2* __restrict__ src, float2* __restrict__ dst, int n) {
  __shared__ float2 block[16][16 + 1];
  unsigned int xIndex = blockIdx.x * 16 + threadIdx.x;
  unsigned int yIndex = blockIdx.y * 16 + threadIdx.y;
  block[threadIdx.y][threadIdx.x] = src[yIndex * n + xIndex];
  __syncthreads();
  xIndex = blockIdx.y * 16 + threadIdx.x;
  yIndex = blockIdx.x * 16 + threadIdx.y;
  dst[yIndex * n + xIndex] = block[threadIdx.x][threadIdx.y];
}
