__global__ void k(int* out, const int* in, int n) {
  int t = threadIdx.x, i = t, sum = 0;
  for (;;) {
    if (i >= n) break;
    sum += in[i];
    i += 32;
  }
  out[t] = sum;
}
