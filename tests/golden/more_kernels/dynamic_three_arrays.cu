__global__ void dynamic_three_arrays(const float* in, float* out) {
  extern __shared__ __align__(16) unsigned char smem[];
  float4* v = (float4*)smem;
  unsigned short* idx = (unsigned short*)(v + 64);
  float* w = (float*)&idx[128];
  int t = threadIdx.x;
  v[t] = make_float4(in[blockIdx.x * 128 + t], in[blockIdx.x * 128 + t + 64], 1.f, 2.f);
  idx[t] = 63 - t;
  idx[t + 64] = t;
  if (t < 32) w[t] = t;
  __syncthreads();
  float4 q = v[(t * 9) & 63];
  out[blockIdx.x * 64 + t] = q.x + q.y + q.z + w[t & 31] + idx[t * 2];
}
