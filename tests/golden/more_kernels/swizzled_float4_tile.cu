__global__ void swizzled_float4_tile(const float4* in, float4* out, int n) {
  __shared__ float4 tile[32][8];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x ^ (y & 7)] = in[(blockIdx.y * 32 + y) * n + blockIdx.x * 8 + x];
  __syncthreads();
  int row = (x * 4 + y / 8) & 31, column = y & 7;
  out[(blockIdx.y * 32 + y) * n + blockIdx.x * 8 + x] = tile[row][column ^ (row & 7)];
}
