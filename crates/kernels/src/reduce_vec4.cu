__global__ void reduce_vec4(const float4* in, float* out, unsigned n) {
  __shared__ float sums[1024];
  unsigned tid = threadIdx.x;
  unsigned quads = n / 4;
  float value = 0.0f;
  for (unsigned i = blockIdx.x * blockDim.x + tid; i < quads; i += gridDim.x * blockDim.x) {
    float4 quad = in[i];
    value += (quad.x + quad.y) + (quad.z + quad.w);
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
  if (tid == 0) out[blockIdx.x] = sums[0];
}
