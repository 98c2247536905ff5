__global__ void double_tile_swizzled(const double* in, double* out, int n) {
  __shared__ double tile[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  tile[ty][tx ^ ty] = in[(blockIdx.y * 32 + ty) * n + blockIdx.x * 32 + tx];
  __syncthreads();
  out[(blockIdx.x * 32 + ty) * n + blockIdx.y * 32 + tx] = tile[tx][ty ^ tx];
}
