__global__ void segmented_warp_rows_unrolled(const float* __restrict__ in, float* __restrict__ out, size_t n) {
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  const unsigned lane = threadIdx.x & 31u;
  float sum = 0.f;
  for (size_t i = lane; i < n; i += 32) sum += __ldg(&in[warp * 256ull + i]);
#pragma unroll
  for (int d = 16; d; d >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (!lane) out[warp] = sum;
}
