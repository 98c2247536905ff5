__global__ void char2_pairs(const char2* in, char2* out) {
  __shared__ char2 s[128];
  int t = threadIdx.x;
  char2 v = in[blockIdx.x * 128 + t];
  s[t] = make_char2(v.y, v.x);
  __syncthreads();
  char2 a = s[127 - t], b = s[(t * 4) & 127];
  out[blockIdx.x * 128 + t] = make_char2(a.x + b.x, a.y - b.y);
}
