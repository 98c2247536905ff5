template <typename F>
__device__ void for_each_row(int rows, F f) {
#pragma unroll
  for (int r = 0; r < rows; ++r) f(r);
}
__global__ void lambda_and_reference(const float* in, float* out) {
  __shared__ float m[8][9];
  int t = threadIdx.x;
  float& cell = m[t / 8][t % 8];
  cell = in[blockIdx.x * 64 + t];
  __syncthreads();
  float acc = 0.f;
  for_each_row(8, [&](int r) { acc += m[r][t % 8] * m[t / 8][r]; });
  out[blockIdx.x * 64 + t] = acc + cell;
}
