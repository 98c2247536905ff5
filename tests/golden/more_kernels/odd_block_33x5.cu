__global__ void odd_block_33x5(const float* in, float* out, int w, int h) {
  __shared__ float t[5][33];
  int c = threadIdx.x, r = threadIdx.y;
  int gx = blockIdx.x * 33 + c, gy = blockIdx.y * 5 + r;
  t[r][32 - c] = in[gy * w + gx];
  __syncthreads();
  float left = c > 0 ? t[r][c - 1] : 0.0f;
  float right = c < 32 ? t[r][c + 1] : 0.0f;
  out[gy * w + gx] = left + right;
}
