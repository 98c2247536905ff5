__global__ void nested_loops_triangular_unrolled(float* out) {
  __shared__ float m[64][65];
  int t = threadIdx.x;
  for (int j = 0; j < 64; j++) m[t][j] = (float)(t + j);
  __syncthreads();
  float s = 0;
  for (int j = 0; j <= t; j++) {
    if (j % 2 == t % 2) continue;
    s += m[j][t];
    if (j > 40) break;
  }
  out[blockIdx.x * 64 + t] = s;
}
