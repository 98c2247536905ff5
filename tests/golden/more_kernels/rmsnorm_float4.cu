__global__ void rmsnorm_float4(const float4* __restrict__ x, const float4* __restrict__ w, float4* __restrict__ y, int D4, float eps) {
  __shared__ float part[4];
  __shared__ float inv_rms;
  const float4* xr = x + (size_t)blockIdx.x * D4;
  float ss = 0.f;
  for (int i = threadIdx.x; i < D4; i += blockDim.x) {
    float4 v = xr[i];
    ss += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int o = 16; o > 0; o >>= 1) ss += __shfl_xor_sync(0xffffffff, ss, o);
  if ((threadIdx.x & 31) == 0) part[threadIdx.x >> 5] = ss;
  __syncthreads();
  if (threadIdx.x == 0) {
    float t = part[0] + part[1] + part[2] + part[3];
    inv_rms = rsqrtf(t / (4 * D4) + eps);
  }
  __syncthreads();
  const float r = inv_rms;
  for (int i = threadIdx.x; i < D4; i += blockDim.x) {
    float4 v = xr[i], g = w[i];
    y[(size_t)blockIdx.x * D4 + i] = make_float4(v.x * r * g.x, v.y * r * g.y, v.z * r * g.z, v.w * r * g.w);
  }
}
