// Naive: reads down the columns, writes along the rows.
__global__ void transpose(const float* in, float* out, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && y < ny)
    out[y * nx + x] = in[x * ny + y]; //@move
}
