// The lower bound: a copy down the columns.
__global__ void copyCol(const float* in, float* out, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && y < ny)
    out[x * ny + y] = in[x * ny + y]; //@move
}
