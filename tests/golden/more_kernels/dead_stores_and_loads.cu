__global__ void dead_stores_and_loads(const float* in, float* out) {
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = 0.f;
  s[t] = in[blockIdx.x * 128 + t];
  s[t + 64] = in[blockIdx.x * 128 + t + 64];
  float unused = s[t ^ 1];
  __syncthreads();
  float a = s[t + 32];
  float b = s[t + 32];
  float c = s[(t + 32) & 127];
  (void)unused;
  out[blockIdx.x * 64 + t] = 0.f;
  out[blockIdx.x * 64 + t] = a + b * 2.f + c;
}
