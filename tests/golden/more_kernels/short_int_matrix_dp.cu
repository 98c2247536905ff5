__global__ void short_int_matrix_dp(const char4* a, const char4* b, int* c) {
  __shared__ int as[4][33];
  int x = threadIdx.x, y = threadIdx.y;
  int acc = 0;
  for (int k = 0; k < 4; k++) {
    char4 u = a[((blockIdx.x * 4 + y) * 4 + k) * 32 + x];
    char4 v = b[((blockIdx.x * 4 + y) * 4 + k) * 32 + (x ^ 1)];
    acc += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
  }
  as[y][x] = acc;
  __syncthreads();
  c[(blockIdx.x * 4 + y) * 32 + x] = as[x & 3][x] + as[y][31 - x];
}
