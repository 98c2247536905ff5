__global__ void byte_tile_uchar4(const unsigned char* in, unsigned char* out, int n) {
  __shared__ unsigned char t[32][36];
  int x = blockIdx.x * 32 + threadIdx.x * 4;
  int y = blockIdx.y * 32 + threadIdx.y;
  uchar4 v = *reinterpret_cast<const uchar4*>(&in[y * n + x]);
  t[threadIdx.y][threadIdx.x * 4 + 0] = v.x;
  t[threadIdx.y][threadIdx.x * 4 + 1] = v.y;
  t[threadIdx.y][threadIdx.x * 4 + 2] = v.z;
  t[threadIdx.y][threadIdx.x * 4 + 3] = v.w;
  __syncthreads();
  int c = threadIdx.y, r = threadIdx.x * 4;
  uchar4 o = make_uchar4(t[r][c], t[r + 1][c], t[r + 2][c], t[r + 3][c]);
  *reinterpret_cast<uchar4*>(&out[(blockIdx.x * 32 + c) * n + blockIdx.y * 32 + r]) = o;
}
