struct F { unsigned a : 12, b : 20; unsigned c; };
__global__ void k(int* out, const int* in, int n) {
  __shared__ F s[32];
  int t = threadIdx.x;
  s[t].a = in[t];
  s[t].b = in[t + 32];
  __syncthreads();
  out[t] = s[31 - t].a;
}
