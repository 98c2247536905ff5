__global__ void k(float* out, const float4* in) {
  __shared__ float4 s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  s[t + 32] = in[t + 32];
  __syncthreads();
  float4 v = s[t * 3 & 63];
  out[t] = v.x + v.z * v.w;
}
