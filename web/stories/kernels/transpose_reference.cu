// A transpose of one tile, padded.
__global__ void transpose(const int* in, int* out) {
  __shared__ int tile[32][33];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * 32 + x];
  __syncthreads();
  out[y * 32 + x] = tile[x][y];
}
