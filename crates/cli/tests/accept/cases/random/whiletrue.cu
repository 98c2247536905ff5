__global__ void k(int* out, const int* in) {
  int t = threadIdx.x, i = 0, sum = 0;
  while (true) {
    if (i >= 3 + (t & 1)) break;
    sum += in[i++ * 64 + t];
  }
  out[t] = sum;
}
