__global__ void forwarding(const float* in, float* out) {
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 128 + t];
  float own = s[t];
  __syncthreads();
  out[blockIdx.x * 128 + t] = own + s[127 - t];
}
