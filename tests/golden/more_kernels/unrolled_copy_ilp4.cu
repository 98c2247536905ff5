__global__ void unrolled_copy_ilp4(const float* in, float* out) {
  float r[4];
  int base = blockIdx.x * 512 + threadIdx.x;
#pragma unroll
  for (int i = 0; i < 4; ++i) r[i] = in[base + i * 128];
#pragma unroll
  for (int i = 0; i < 4; ++i) out[base + i * 128] = r[i] * 2.0f;
}
