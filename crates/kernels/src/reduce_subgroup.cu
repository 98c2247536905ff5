#define UNROLL 16
__global__ void reduce_subgroup(const float4* in, float* out, unsigned n) {
  __shared__ float sums[1024];
  unsigned tid = threadIdx.x;
  unsigned quads = n / 4;
  float value = 0.0f;
  for (unsigned slab = blockIdx.x; slab * blockDim.x * UNROLL < quads; slab += gridDim.x) {
    for (unsigned k = 0; k < UNROLL; k++) {
      unsigned i = slab * blockDim.x * UNROLL + tid + k * blockDim.x;
      if (i < quads) {
        float4 quad = in[i];
        value += (quad.x + quad.y) + (quad.z + quad.w);
      }
    }
  }
  if (blockIdx.x == 0 && tid < n % 4) {
    const float* tail = (const float*)in;
    value += tail[4 * quads + tid];
  }
  for (int s = 16; s > 0; s >>= 1) value += __shfl_down_sync(0xffffffff, value, s);
  if (tid % 32 == 0) sums[tid / 32] = value;
  __syncthreads();
  if (tid < 32) {
    float rest = tid < blockDim.x / 32 ? sums[tid] : 0.0f;
    for (int s = 16; s > 0; s >>= 1) rest += __shfl_down_sync(0xffffffff, rest, s);
    if (tid == 0) out[blockIdx.x] = rest;
  }
}
