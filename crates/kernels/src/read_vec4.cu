#define UNROLL 16
__global__ void read_vec4(const uint4* in, unsigned* out, unsigned n) {
  unsigned at = blockIdx.x * blockDim.x * UNROLL + threadIdx.x;
  unsigned mix = 0;
  for (unsigned k = 0; k < UNROLL; k++) {
    if (at + k * blockDim.x < (n + 3) / 4) {
      uint4 quad = in[at + k * blockDim.x];
      mix ^= quad.x ^ quad.y ^ quad.z ^ quad.w;
    }
  }
  if (mix == 0x6c616e65u) out[blockIdx.x] = mix;
}
