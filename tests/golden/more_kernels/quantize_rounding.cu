__global__ void quantize_rounding(const float* in, signed char* out, const float* lut) {
  __shared__ float s[64];
  int t = threadIdx.x;
  int k = __float2int_rn(t * 0.75f) & 63;
  s[k] = in[blockIdx.x * 64 + t];
  __syncthreads();
  float angle = atanf((float)t);
  int j = (int)(angle * 40.0f) & 63;
  int u = __float2int_rd(tanf(0.01f * t) * 10.f) & 63;
  out[blockIdx.x * 64 + t] = (signed char)(s[j] + lut[(t * alignof(double)) & 63] + s[u]);
}
