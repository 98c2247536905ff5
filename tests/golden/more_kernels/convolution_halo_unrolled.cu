#define RADIUS 8
__global__ void convolution_halo_unrolled(const float* in, float* out) {
  __shared__ float s[128 + 2 * RADIUS];
  int t = threadIdx.x;
  int g = blockIdx.x * blockDim.x + t;
  s[t] = in[g];
  if (t < 2 * RADIUS) s[t + 128] = in[g + 128];
  __syncthreads();
  float acc = 0.0f;
  for (int j = -RADIUS; j <= RADIUS; ++j) acc += s[t + RADIUS + j] * (float)j;
  out[g] = acc;
}
