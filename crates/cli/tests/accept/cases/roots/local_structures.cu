struct P { int a, b; };
__global__ void k(int* out, const int* in, int n) {
  P p[3];
  int t = threadIdx.x;
  for (int i = 0; i < 3; ++i) { p[i].a = in[i * 64 + t]; p[i].b = in[i * 64 + 32 + t]; }
  out[t] = p[0].b + p[2].a;
}
