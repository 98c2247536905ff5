__global__ void k(int* out, const int* in, int n) {
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < 6 + (t & 1); ++i) sum += in[i * 32 + t];
  out[t] = sum;
}
