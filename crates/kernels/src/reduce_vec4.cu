#define BLOCK 256
__device__ float4 sum(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
__global__ void reduce_vec4(const float4* in, float* out, unsigned n) {
  __shared__ float sums[BLOCK];
  unsigned tid = threadIdx.x;
  unsigned quads = n / 4;
  float4 quad = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (unsigned i = blockIdx.x * blockDim.x + tid; i < quads; i += gridDim.x * blockDim.x) quad = sum(quad, in[i]);
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
  if (tid == 0) out[blockIdx.x] = sums[0];
}
