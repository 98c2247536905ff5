// Naive: reads along the rows, writes down the columns.
__global__ void transpose(const float* in, float* out, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && y < ny)
    out[x * ny + y] = in[y * nx + x]; //@move
}
