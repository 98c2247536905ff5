#define WARP_COUNT 6
#define BIN_COUNT 256
inline __device__ void addByte(uint *s_WarpHist, uint data) { atomicAdd(s_WarpHist + data, 1); }
inline __device__ void addWord(uint *s_WarpHist, uint data) {
  addByte(s_WarpHist, (data >> 0) & 0xFFU);
  addByte(s_WarpHist, (data >> 8) & 0xFFU);
  addByte(s_WarpHist, (data >> 16) & 0xFFU);
  addByte(s_WarpHist, (data >> 24) & 0xFFU);
}
__global__ void histogram256_per_warp(uint *d_Hist, uint *d_Data, uint n) {
  __shared__ uint s_Hist[WARP_COUNT * BIN_COUNT];
  uint *s_WarpHist = s_Hist + (threadIdx.x >> 5) * BIN_COUNT;
#pragma unroll
  for (uint i = 0; i < (WARP_COUNT * BIN_COUNT) / 192; i++) s_Hist[threadIdx.x + i * 192] = 0;
  __syncthreads();
  for (uint pos = blockIdx.x * blockDim.x + threadIdx.x; pos < n; pos += blockDim.x * gridDim.x) {
    uint data = d_Data[pos];
    addWord(s_WarpHist, data);
  }
  __syncthreads();
  for (uint bin = threadIdx.x; bin < BIN_COUNT; bin += 192) {
    uint sum = 0;
    for (uint i = 0; i < WARP_COUNT; i++) sum += s_Hist[bin + i * BIN_COUNT];
    d_Hist[blockIdx.x * BIN_COUNT + bin] = sum;
  }
}
