__global__ void matvec_warp_unrolled(const float* A, const float* x, float* y, int n) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x & 31;
  float acc = 0.0f;
  for (int j = lane; j < n; j += 32) acc += A[warp * n + j] * x[j];
  for (int o = 16; o; o >>= 1) acc += __shfl_xor_sync(0xffffffffu, acc, o);
  if (lane == 0) y[warp] = acc;
}
