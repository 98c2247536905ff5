#define UNROLL 16
__global__ void reduce_single_pass(const float4* in, float* out, unsigned n, float* partials, unsigned* ticket) {
  __shared__ float sums[1024];
  __shared__ unsigned is_last;
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
  sums[tid] = value;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) sums[tid] += sums[tid + s];
    __syncthreads();
  }
  if (tid == 0) {
    partials[blockIdx.x] = sums[0];
    __threadfence();
    is_last = atomicAdd(ticket, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last) {
    float rest = 0.0f;
    for (unsigned i = tid; i < gridDim.x; i += blockDim.x) rest += partials[i];
    sums[tid] = rest;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
      if (tid < s) sums[tid] += sums[tid + s];
      __syncthreads();
    }
    if (tid == 0) {
      out[0] = sums[0];
      *ticket = 0;
    }
  }
}
