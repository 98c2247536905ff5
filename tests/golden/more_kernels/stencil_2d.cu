#define R 1
__global__ void stencil_2d(const float* in, float* out, int nx, int ny) {
  __shared__ float tile[16 + 2 * R][16 + 2 * R];
  int gx = blockIdx.x * blockDim.x + threadIdx.x;
  int gy = blockIdx.y * blockDim.y + threadIdx.y;
  int lx = threadIdx.x + R;
  int ly = threadIdx.y + R;
  tile[ly][lx] = in[gy * nx + gx];
  if (threadIdx.x < R) {
    tile[ly][lx - R] = gx >= R ? in[gy * nx + gx - R] : 0.0f;
    tile[ly][lx + 16] = gx + 16 < nx ? in[gy * nx + gx + 16] : 0.0f;
  }
  if (threadIdx.y < R) {
    tile[ly - R][lx] = gy >= R ? in[(gy - R) * nx + gx] : 0.0f;
    tile[ly + 16][lx] = gy + 16 < ny ? in[(gy + 16) * nx + gx] : 0.0f;
  }
  __syncthreads();
  out[gy * nx + gx] = 0.2f * (tile[ly][lx] + tile[ly][lx - 1] + tile[ly][lx + 1] + tile[ly - 1][lx] + tile[ly + 1][lx]);
}
