__global__ void triangular_solve_column(const float* L, const float* b, float* x) {
  __shared__ float l[32][33];
  __shared__ float xs[32];
  int t = threadIdx.x;
  const float* g = L + blockIdx.x * 1024;
  for (int r = 0; r < 32; r++) l[r][t] = g[r * 32 + t];
  float mine = b[blockIdx.x * 32 + t];
  __syncthreads();
  for (int k = 0; k < 32; k++) {
    if (t == k) xs[k] = mine / (l[k][k] + 1.f);
    __syncthreads();
    if (t > k) mine -= l[t][k] * xs[k];
    __syncthreads();
  }
  x[blockIdx.x * 32 + t] = xs[t];
}
