__global__ void fft_stockham4_unrolled(float2* data) {
  __shared__ float2 s[256];
  int t = threadIdx.x;
  float2* base = data + blockIdx.x * 256;
  float2 v[4];
#pragma unroll
  for (int r = 0; r < 4; r++) v[r] = base[t + r * 64];
  for (int ns = 1; ns < 256; ns *= 4) {
    float2 a = make_float2(v[0].x + v[2].x, v[0].y + v[2].y);
    float2 b = make_float2(v[0].x - v[2].x, v[0].y - v[2].y);
    float2 c = make_float2(v[1].x + v[3].x, v[1].y + v[3].y);
    float2 d = make_float2(v[1].y - v[3].y, v[3].x - v[1].x);
    v[0] = make_float2(a.x + c.x, a.y + c.y);
    v[1] = make_float2(b.x + d.x, b.y + d.y);
    v[2] = make_float2(a.x - c.x, a.y - c.y);
    v[3] = make_float2(b.x - d.x, b.y - d.y);
    int dst = (t / ns) * ns * 4 + (t % ns);
    __syncthreads();
#pragma unroll
    for (int r = 0; r < 4; r++) s[dst + r * ns] = v[r];
    __syncthreads();
#pragma unroll
    for (int r = 0; r < 4; r++) v[r] = s[t + r * 64];
  }
#pragma unroll
  for (int r = 0; r < 4; r++) base[t + r * 64] = v[r];
}
