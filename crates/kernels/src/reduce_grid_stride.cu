#define BLOCK 256
__global__ void reduce_grid_stride(const float* in, float* out, unsigned n) {
  __shared__ float sums[BLOCK];
  unsigned tid = threadIdx.x;
  unsigned stride = gridDim.x * blockDim.x;
  float value = 0.0f;
  for (unsigned i = blockIdx.x * blockDim.x + tid; i < n; i += stride) value += in[i];
  sums[tid] = value;
  __syncthreads();
#pragma unroll
  for (unsigned s = BLOCK / 2; s > 0; s >>= 1) {
    if (tid < s) sums[tid] += sums[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = sums[0];
}
