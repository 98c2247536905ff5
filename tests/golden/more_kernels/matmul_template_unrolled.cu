template <int T>
__global__ void matmul_template_unrolled(const float* A, const float* B, float* C, int n) {
  __shared__ float As[T][T + 1], Bs[T][T + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.f;
  for (int t = 0; t < n; t += T) {
    As[ty][tx] = A[row * n + t + tx];
    Bs[tx][ty] = B[(t + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < T; k++) acc += As[ty][k] * Bs[tx][k];
    __syncthreads();
  }
  C[row * n + col] = acc;
}
