__global__ void transpose(const float* in, float* out, int nx, int ny) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  if (x < nx && y < ny)
    tile[threadIdx.y][threadIdx.x] = in[y * nx + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  if (x < ny && y < nx)
    out[y * ny + x] = tile[threadIdx.x][threadIdx.y];
}
