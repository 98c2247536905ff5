__global__ void union_like_casts(const float* in, int* out) {
  __shared__ float f[128];
  int t = threadIdx.x;
  f[t] = in[blockIdx.x * 128 + t];
  f[t + 64] = in[blockIdx.x * 128 + t + 64];
  __syncthreads();
  const int* as_int = (const int*)f;
  const float2* as_pair = reinterpret_cast<const float2*>(f);
  const unsigned char* as_bytes = (const unsigned char*)f;
  float2 p = as_pair[t];
  out[blockIdx.x * 128 + t] = as_int[127 - t] + __float_as_int(p.x + p.y);
  out[blockIdx.x * 128 + 64 + t] = as_bytes[t * 5] + as_bytes[t];
}
