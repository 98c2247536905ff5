#define BLOCK 256
__global__ void reduce_unrolled(const float* in, float* out, unsigned n) {
  __shared__ float sums[BLOCK];
  unsigned tid = threadIdx.x;
  unsigned i = blockIdx.x * blockDim.x * 2 + tid;
  float value = 0.0f;
  if (i < n) value = in[i];
  if (i + blockDim.x < n) value += in[i + blockDim.x];
  sums[tid] = value;
  __syncthreads();
#pragma unroll
  for (unsigned s = BLOCK / 2; s > 0; s >>= 1) {
    if (tid < s) sums[tid] += sums[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = sums[0];
}
