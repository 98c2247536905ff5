__global__ void k(int* out, const int* in, int n) {
  int a[5], t = threadIdx.x;
  for (int q = 0; q < 5; ++q) a[q] = in[q * 32 + t];
  int z = a[0];
  for (int q = 0; q < 4; ++q) a[q] = a[q + 1];
  a[4] = z;
  out[t] = a[4] - a[1];
}
