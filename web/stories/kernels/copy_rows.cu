// The upper bound: a copy along the rows.
__global__ void copyRow(const float* in, float* out, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && y < ny)
    out[y * nx + x] = in[y * nx + x]; //@move
}
