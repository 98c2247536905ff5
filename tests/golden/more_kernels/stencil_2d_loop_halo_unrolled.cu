#define BX 32
#define BY 8
#define R 2
__global__ void stencil_2d_loop_halo_unrolled(const float* __restrict__ in, float* __restrict__ out, int w, int h) {
  __shared__ float s[BY + 2 * R][BX + 2 * R];
  int x0 = blockIdx.x * BX - R, y0 = blockIdx.y * BY - R;
  for (int i = threadIdx.y * BX + threadIdx.x; i < (BY + 2 * R) * (BX + 2 * R); i += BX * BY) {
    int sx = i % (BX + 2 * R), sy = i / (BX + 2 * R);
    int gx = min(max(x0 + sx, 0), w - 1), gy = min(max(y0 + sy, 0), h - 1);
    s[sy][sx] = in[gy * w + gx];
  }
  __syncthreads();
  float a = 0.f;
  for (int d = -R; d <= R; d++) {
    a += s[threadIdx.y + R + d][threadIdx.x + R];
    if (d != 0) a += s[threadIdx.y + R][threadIdx.x + R + d];
  }
  out[(y0 + R + threadIdx.y) * w + x0 + R + threadIdx.x] = a;
}
