#define B 8
#define N 32
#define P (N + 4)
// A 7-point stencil of a cube with a halo; the tile is filled by a flat loop.
__global__ void stencil3d_shared(const float *in, float *out) {
  __shared__ float s[B + 2][B + 2][B + 2];
  int tid = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  for (int i = tid; i < (B + 2) * (B + 2) * (B + 2); i += B * B * B) {
    int x = i % (B + 2), y = (i / (B + 2)) % (B + 2), z = i / ((B + 2) * (B + 2));
    s[z][y][x] = in[((blockIdx.z * B + z) * P + blockIdx.y * B + y) * P + blockIdx.x * B + x];
  }
  __syncthreads();
  int x = threadIdx.x + 1, y = threadIdx.y + 1, z = threadIdx.z + 1;
  float v = s[z][y][x] * 6.0f - s[z][y][x - 1] - s[z][y][x + 1] - s[z][y - 1][x] - s[z][y + 1][x] - s[z - 1][y][x] - s[z + 1][y][x];
  out[((blockIdx.z * B + threadIdx.z) * N + blockIdx.y * B + threadIdx.y) * N + blockIdx.x * B + threadIdx.x] = v;
}
