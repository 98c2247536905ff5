__global__ void batched_4x4_shared(const float* A, const float* B, float* C) {
  __shared__ float a[8][4][4], b[8][4][4];
  const int e = threadIdx.x, m = threadIdx.y;
  const int r = e >> 2, c = e & 3;
  const int g = (blockIdx.x * 8 + m) * 16 + e;
  a[m][r][c] = A[g];
  b[m][r][c] = B[g];
  __syncthreads();
  float s = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) s += a[m][r][k] * b[m][k][c];
  C[g] = s;
}
