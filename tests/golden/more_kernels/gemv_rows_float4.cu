__global__ void gemv_rows_float4(const float4* __restrict__ A, const float4* __restrict__ x, float* __restrict__ y, int cols) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  const int n4 = cols >> 2;
  float sum = 0.0f;
  for (int j = threadIdx.x; j < n4; j += 32) {
    float4 a = A[row * n4 + j];
    float4 b = x[j];
    sum = fmaf(a.x, b.x, fmaf(a.y, b.y, fmaf(a.z, b.z, fmaf(a.w, b.w, sum))));
  }
  sum += __shfl_down_sync(0xffffffffu, sum, 16);
  sum += __shfl_down_sync(0xffffffffu, sum, 8);
  sum += __shfl_down_sync(0xffffffffu, sum, 4);
  sum += __shfl_down_sync(0xffffffffu, sum, 2);
  sum += __shfl_down_sync(0xffffffffu, sum, 1);
  if (threadIdx.x == 0) y[row] = sum;
}
