#define BLOCK 256
#define UNROLL 16
__device__ float4 sum(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
__global__ void reduce_single_pass(const float4* in, float* out, unsigned n, unsigned* tickets) {
  __shared__ float sums[BLOCK];
  __shared__ unsigned is_last;
  unsigned tid = threadIdx.x;
  unsigned quads = n / 4;
  float4 quad = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (unsigned slab = blockIdx.x; slab * BLOCK * UNROLL < quads; slab += gridDim.x) {
    unsigned base = slab * BLOCK * UNROLL + tid;
    if (base - tid + BLOCK * UNROLL <= quads) {
      float4 even = in[base], odd = in[base + BLOCK];
#pragma unroll
      for (unsigned k = 2; k < UNROLL; k += 2) {
        even = sum(even, in[base + k * BLOCK]);
        odd = sum(odd, in[base + (k + 1) * BLOCK]);
      }
      quad = sum(quad, sum(even, odd));
    } else {
      float4 rest = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll 1
      for (unsigned k = 0; k < UNROLL; k++) {
        if (base + k * BLOCK < quads) rest = sum(rest, in[base + k * BLOCK]);
      }
      quad = sum(quad, rest);
    }
  }
  float value = (quad.x + quad.y) + (quad.z + quad.w);
  if (blockIdx.x == 0 && tid < n % 4) {
    const float* tail = (const float*)in;
    value += tail[4 * quads + tid];
  }
  sums[tid] = value;
  __syncthreads();
#pragma unroll
  for (unsigned s = BLOCK / 2; s > 0; s >>= 1) {
    if (tid < s) sums[tid] += sums[tid + s];
    __syncthreads();
  }
  if (tid == 0) {
    is_last = 0;
    unsigned bits = __float_as_uint(sums[0]);
    tickets[2 * blockIdx.x + 1] = 0x10000u | (bits >> 16);
    tickets[2 * blockIdx.x + 2] = 0x10000u | (bits & 0xffffu);
    is_last = atomicAdd(&tickets[0], 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last) {
    float rest = 0.0f;
    for (unsigned i = tid; i < gridDim.x; i += blockDim.x) {
      unsigned high = tickets[2 * i + 1];
      tickets[2 * i + 1] = 0;
      unsigned low = tickets[2 * i + 2];
      tickets[2 * i + 2] = 0;
      rest += __uint_as_float((high << 16) | (low & 0xffffu));
    }
    sums[tid] = rest;
    __syncthreads();
#pragma unroll
    for (unsigned s = BLOCK / 2; s > 0; s >>= 1) {
      if (tid < s) sums[tid] += sums[tid + s];
      __syncthreads();
    }
    if (tid == 0) {
      out[0] = sums[0];
      tickets[0] = 0;
    }
  }
}
