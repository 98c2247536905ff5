__global__ void k(int* out, const int* in, int n) {
  int t = threadIdx.x, sum = 0;
  for (int i = t; i < n; i += n / 8 + 5) sum += in[i];
  out[t] = sum;
}
