__global__ void both_branches(const float* in, float* out) {
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  float v;
  if (t % 3 == 0) v = s[127 - t] * 2.0f;
  else if (t % 3 == 1) v = s[(t * 5) & 127];
  else v = 1.0f;
  out[blockIdx.x * 128 + t] = v;
}
