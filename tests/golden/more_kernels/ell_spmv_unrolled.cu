__global__ void ell_spmv_unrolled(const float* values, const int* columns, const float* x, float* y, int rows, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    float sum = 0;
    for (int k = 0; k < width; k++) {
      int i = k * 512 + r;
      sum += values[i] * x[columns[i]];
    }
    y[r] = sum;
  }
}
