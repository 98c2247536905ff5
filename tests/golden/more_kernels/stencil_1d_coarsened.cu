#define RADIUS 4
#define PER 4
__global__ void stencil_1d_coarsened(const float* in, float* out) {
  __shared__ float s[64 * PER + 2 * RADIUS];
  int base = blockIdx.x * 64 * PER;
  for (int i = threadIdx.x; i < 64 * PER + 2 * RADIUS; i += 64) s[i] = in[base + i];
  __syncthreads();
#pragma unroll
  for (int p = 0; p < PER; ++p) {
    int l = threadIdx.x + p * 64 + RADIUS;
    float v = 0.f;
#pragma unroll
    for (int r = -RADIUS; r <= RADIUS; ++r) v += s[l + r];
    out[base + threadIdx.x + p * 64] = v;
  }
}
