struct ValIdx { float v; int i; };
__global__ void min_max_index_reduce(const float* in, float* val, int* idx) {
  __shared__ ValIdx s[128];
  int t = threadIdx.x;
  s[t].v = in[blockIdx.x * 128 + t];
  s[t].i = t;
  __syncthreads();
  for (int d = 64; d > 0; d >>= 1) {
    if (t < d) {
      ValIdx a = s[t], b = s[t + d];
      s[t] = (b.v > a.v) ? b : a;
    }
    __syncthreads();
  }
  if (t == 0) {
    val[blockIdx.x] = s[0].v;
    idx[blockIdx.x] = s[0].i;
  }
}
