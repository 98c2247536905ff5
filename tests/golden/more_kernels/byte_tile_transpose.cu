__global__ void byte_tile_transpose(const unsigned char* in, unsigned char* out, int nx, int ny) {
  __shared__ unsigned char tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * nx + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  out[y * ny + x] = tile[threadIdx.x][threadIdx.y];
}
