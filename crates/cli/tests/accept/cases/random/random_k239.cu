__global__ void k239(int* __restrict__ out, const int* __restrict__ in, int* __restrict__ out2, int n, int m) {
  const int t = threadIdx.x + threadIdx.y * blockDim.x;
  int acc = 0;
  acc += __ldg(&in[t * 3]); __stcg(out2 + t * 2, 1);
  { int j = t % 3; do { if (j == 2) { ++j; continue; } acc += in[j * 11 + t]; if (j > 6) break; j += 2; } while (j < 10); }
  out[(blockIdx.x + blockIdx.y * gridDim.x) * (blockDim.x * blockDim.y * blockDim.z) + t] = acc;
}
