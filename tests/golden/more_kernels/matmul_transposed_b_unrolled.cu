template <typename T, int TILE>
__device__ T dot(const T (&a)[TILE][TILE], const T (&b)[TILE][TILE], int r, int c) {
  T s = 0;
  for (int k = 0; k < TILE; ++k) s += a[r][k] * b[c][k];
  return s;
}
template <typename T, int TILE>
__global__ void matmul_transposed_b_unrolled(const T* A, const T* B, T* C, int n) {
  __shared__ T a[TILE][TILE];
  __shared__ T b[TILE][TILE];
  int r = threadIdx.y, c = threadIdx.x;
  T acc = 0;
  for (int k0 = 0; k0 < n; k0 += TILE) {
    a[r][c] = A[(blockIdx.y * TILE + r) * n + k0 + c];
    b[r][c] = B[(blockIdx.x * TILE + r) * n + k0 + c];
    __syncthreads();
    acc += dot<T, TILE>(a, b, r, c);
    __syncthreads();
  }
  C[(blockIdx.y * TILE + r) * n + blockIdx.x * TILE + c] = acc;
}
