__global__ void row_sums_strided_unrolled(const float* in, float* out, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int c = 0; c < cols; ++c) s += in[r * cols + c];
  out[r] = s;
}
