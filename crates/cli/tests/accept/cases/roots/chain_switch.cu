__global__ void k(int* out, const int* in, int n) {
  int t = threadIdx.x, v = 0;
  switch (t & 3) {
    case 0: v += in[t]; break;
    case 1: v += in[t + 64]; break;
    case 2: v += in[t * 2]; break;
    default: v += in[200 - t];
  }
  out[t] = v;
}
