__global__ void partly_used_float4(const float4* __restrict__ p, float* __restrict__ out) {
  __shared__ float4 s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  float4 v = p[i];
  s[t] = make_float4(v.x, v.y, 0.f, 1.f);
  __syncthreads();
  float4 w = s[t ^ 3];
  out[i] = w.x + w.w;
}
