#define UNROLL 1
__global__ void copy_vec4(const float4* in, float4* out, unsigned n) {
  unsigned at = blockIdx.x * blockDim.x * UNROLL + threadIdx.x;
  for (unsigned k = 0; k < UNROLL; k++)
    if (at + k * blockDim.x < (n + 3) / 4) out[at + k * blockDim.x] = in[at + k * blockDim.x];
}
