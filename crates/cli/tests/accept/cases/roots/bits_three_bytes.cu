struct C { unsigned r : 8, g : 8, b : 8, x : 8; };
__global__ void k(int* out, const int* in, int n) {
  __shared__ C s[32];
  int t = threadIdx.x;
  s[t].r = in[t];
  s[t].g = in[t] >> 8;
  s[t].b = in[t] >> 16;
  s[t].x = 0;
  __syncthreads();
  out[t] = s[t ^ 1].g + s[t ^ 1].b;
}
