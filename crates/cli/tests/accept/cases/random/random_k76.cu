__global__ void k76(double* out, const int* in, int* out2, int n, int m) {
  const int t = threadIdx.x;
  double acc = 0;
  if ((t & 8) && t > 12) return;
  { int i = 0; while (true) { if (i >= 3 + (t & 1)) break; acc += in[i++ * 33 + t]; } }
  acc += __ldg(in + (t ^ 5)); __stcs(&out2[t], t);
  out[(blockIdx.x + blockIdx.y * gridDim.x) * (blockDim.x * blockDim.y * blockDim.z) + t] = acc;
}
