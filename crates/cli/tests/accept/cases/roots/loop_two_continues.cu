__global__ void k(int* out, const int* in, int n) {
  int t = threadIdx.x, sum = 0;
  for (int i = t; i < n; i += 32) {
    if ((i & 4) == 0) continue;
    sum += in[i];
    if ((t & 1) == 0) continue;
    sum += in[i + 512];
  }
  out[t] = sum;
}
