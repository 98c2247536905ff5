__global__ void short2_tile(const short2* in, short* out, int n) {
  __shared__ short tile[32][33];
  int x = threadIdx.x, y = threadIdx.y;
  short2 v = in[((blockIdx.y * 32 + y) * n + blockIdx.x * 32) / 2 + x];
  tile[y][2 * x] = v.x;
  tile[y][2 * x + 1] = v.y;
  __syncthreads();
  short2 w;
  w.x = tile[2 * x][y];
  w.y = tile[2 * x + 1][y];
  reinterpret_cast<short2*>(out)[((blockIdx.x * 32 + y) * n + blockIdx.y * 32) / 2 + x] = w;
}
