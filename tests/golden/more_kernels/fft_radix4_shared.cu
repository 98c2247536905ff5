__device__ float2 cmul(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__device__ float2 cadd(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ float2 csub(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ void fft4(float2& a, float2& b, float2& c, float2& d) {
  float2 p = cadd(a, c), q = csub(a, c), r = cadd(b, d), t = csub(b, d);
  t = make_float2(t.y, -t.x);
  a = cadd(p, r);
  b = cadd(q, t);
  c = csub(p, r);
  d = csub(q, t);
}
__global__ void fft_radix4_shared(const float2* in, float2* out) {
  __shared__ float sx[256], sy[256];
  int t = threadIdx.x;
  in += blockIdx.x * 256;
  out += blockIdx.x * 256;
  float2 v0 = in[t], v1 = in[t + 64], v2 = in[t + 128], v3 = in[t + 192];
  fft4(v0, v1, v2, v3);
  for (int p = 4; p < 256; p <<= 2) {
    int k = t & (p / 4 - 1);
    int j = ((t - k) << 2) + k;
    __syncthreads();
    sx[j] = v0.x; sx[j + p / 4] = v1.x; sx[j + p / 2] = v2.x; sx[j + 3 * p / 4] = v3.x;
    sy[j] = v0.y; sy[j + p / 4] = v1.y; sy[j + p / 2] = v2.y; sy[j + 3 * p / 4] = v3.y;
    __syncthreads();
    v0 = make_float2(sx[t], sy[t]);
    v1 = make_float2(sx[t + 64], sy[t + 64]);
    v2 = make_float2(sx[t + 128], sy[t + 128]);
    v3 = make_float2(sx[t + 192], sy[t + 192]);
    fft4(v0, v1, v2, v3);
  }
  out[t] = v0;
  out[t + 64] = v1;
  out[t + 128] = v2;
  out[t + 192] = v3;
}
