__global__ void ternary_chain(const float* in, float* out, int n) {
  __shared__ float s[130];
  int t = threadIdx.x, g = blockIdx.x * blockDim.x + t;
  s[t + 1] = g < n ? in[g] : 0.0f;
  if (t == 0) s[0] = g > 0 ? in[g - 1] : 0.0f;
  if (t == blockDim.x - 1) s[129] = g + 1 < n ? in[g + 1] : 0.0f;
  __syncthreads();
  if (g < n) out[g] = t > 0 && t < 100 ? s[t] + s[t + 2] : s[t + 1];
}
