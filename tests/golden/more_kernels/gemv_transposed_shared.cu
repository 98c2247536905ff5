__global__ void gemv_transposed_shared(const float* A, const float* x, float* y, int m, int n) {
  __shared__ float xs[64];
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  xs[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  float s = 0.f;
  for (int i = 0; i < m; i++) s += A[i * n + col] * xs[i];
  y[col] = s;
}
