__global__ void k(float* out, const float4* in) {
  float4 v = in[threadIdx.x * 3 & 63];
  out[threadIdx.x] = v.y * v.w;
}
