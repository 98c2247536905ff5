__global__ void stencil_25d_unrolled(const float* in, float* out, int nx, int ny, int nz) {
  __shared__ float plane[8 + 2][16 + 2];
  const int ix = blockIdx.x * blockDim.x + threadIdx.x;
  const int iy = blockIdx.y * blockDim.y + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int stride = nx * ny;
  int idx = iy * nx + ix;
  float behind = 0.f, current = in[idx], infront = in[idx + stride];
  for (int k = 1; k < nz - 1; k++) {
    idx += stride;
    behind = current;
    current = infront;
    infront = in[idx + stride];
    __syncthreads();
    if (threadIdx.x == 0 && ix > 0) plane[ty][0] = in[idx - 1];
    if (threadIdx.x == blockDim.x - 1 && ix < nx - 1) plane[ty][tx + 1] = in[idx + 1];
    if (threadIdx.y == 0 && iy > 0) plane[0][tx] = in[idx - nx];
    if (threadIdx.y == blockDim.y - 1 && iy < ny - 1) plane[ty + 1][tx] = in[idx + nx];
    plane[ty][tx] = current;
    __syncthreads();
    if (ix > 0 && ix < nx - 1 && iy > 0 && iy < ny - 1)
      out[idx] = current + behind + infront + plane[ty][tx - 1] + plane[ty][tx + 1] + plane[ty - 1][tx] + plane[ty + 1][tx];
  }
}
