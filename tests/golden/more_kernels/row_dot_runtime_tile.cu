__global__ void row_dot_runtime_tile(const float* a, const float* b, float* out, int n) {
  __shared__ float x[16][16], y[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, g = blockIdx.x * 256 + ty * 16 + tx;
  x[ty][tx] = a[g];
  y[ty][tx] = b[g];
  __syncthreads();
  float s = 0;
  for (int k = 0; k < n; ++k) s += x[ty][k] * y[k][tx];
  out[g] = s;
}
