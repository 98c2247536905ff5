__global__ void k(int* out, const int* in, int n) {
  int t = threadIdx.x, i = 0;
  float sum = 0;
  while (1) {
    if (!(i < n - (t & 7))) break;
    sum += in[i * 32 + t];
    ++i;
  }
  out[t] = sum;
}
