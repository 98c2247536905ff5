__global__ void predicated_small_branches(const float* in, float* out) {
  __shared__ float s[256];
  int t = threadIdx.x, g = blockIdx.x * 256;
  s[t] = in[g + t];
  s[t + 128] = in[g + t + 128];
  __syncthreads();
  float v = 0.f;
  if (t & 1) v = s[t];
  if (t > 100) v += s[t + 27];
  else v -= s[t + 1];
  if ((t & 3) == 2 && v >= 0.f) s[255 - t] = v;
  __syncthreads();
  out[blockIdx.x * 128 + t] = s[t] + v;
}
