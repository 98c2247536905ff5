__global__ void k(int* out, const int* in, int n) {
  int a[4], t = threadIdx.x;
  for (int q = 0; q < 4; ++q) a[q] = in[q * 32 + t];
  out[t] = a[t & 3];
}
