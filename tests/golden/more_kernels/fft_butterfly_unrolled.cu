__global__ void fft_butterfly_unrolled(const float2* in, float2* out) {
  __shared__ float2 s[512];
  int t = threadIdx.x;
  int base = blockIdx.x * 512;
  s[t] = in[base + t];
  s[t + 256] = in[base + t + 256];
  __syncthreads();
  for (int half = 1; half < 512; half <<= 1) {
    int j = t & (half - 1);
    int i = ((t - j) << 1) + j;
    float2 a = s[i];
    float2 b = s[i + half];
    s[i] = make_float2(a.x + b.x, a.y + b.y);
    s[i + half] = make_float2(a.x - b.x, a.y - b.y);
    __syncthreads();
  }
  out[base + t] = s[t];
  out[base + t + 256] = s[t + 256];
}
