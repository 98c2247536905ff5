#define TX 32
#define TY 4
__global__ void stencil_3d_register_z(const float* __restrict__ in, float* __restrict__ out, int nx, int ny, int nz) {
  __shared__ float s[TY + 2][TX + 2];
  int i = blockIdx.x * TX + threadIdx.x, j = blockIdx.y * TY + threadIdx.y;
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  int plane = nx * ny, c = j * nx + i;
  float below = 0.f, here = in[c], above = in[c + plane];
  for (int k = 0; k < nz; ++k) {
    s[ty][tx] = here;
    if (threadIdx.x == 0) s[ty][0] = i > 0 ? in[c - 1] : here;
    if (threadIdx.x == TX - 1) s[ty][TX + 1] = i < nx - 1 ? in[c + 1] : here;
    if (threadIdx.y == 0) s[0][tx] = j > 0 ? in[c - nx] : here;
    if (threadIdx.y == TY - 1) s[TY + 1][tx] = j < ny - 1 ? in[c + nx] : here;
    __syncthreads();
    out[c] = 0.5f * here + 0.1f * (s[ty][tx - 1] + s[ty][tx + 1] + s[ty - 1][tx] + s[ty + 1][tx] + below + above);
    __syncthreads();
    c += plane;
    below = here;
    here = above;
    if (k + 2 < nz) above = in[c + plane];
    else above = 0.f;
  }
}
