__global__ void k(int* out, const int* in, int n) {
  int a[6];
  for (int q = 0; q < 6; ++q) a[q] = in[q * 40 + threadIdx.x];
  out[threadIdx.x] = a[0] + a[2] * a[5];
}
