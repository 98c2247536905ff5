struct F { unsigned a : 12, b : 20; unsigned c; };
__global__ void k(int* out, const int* in, int n) {
  __shared__ F s[32];
  int t = threadIdx.x;
  s[t].c = in[t];
  s[t].a = 0;
  s[t].b = 0;
  __syncthreads();
  s[t].b = in[t + 32];
  __syncthreads();
  out[t] = s[31 - t].a + s[31 - t].c;
}
