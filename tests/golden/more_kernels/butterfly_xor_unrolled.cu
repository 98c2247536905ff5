__global__ void butterfly_xor_unrolled(const float* in, float* out) {
  __shared__ float s[256];
  unsigned t = threadIdx.x;
  float v = in[blockIdx.x * blockDim.x + t];
  for (unsigned mask = 1; mask < 256; mask <<= 1) {
    s[t] = v;
    __syncthreads();
    float o = s[t ^ mask];
    v = (t & mask) ? o - v : v + o;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = v;
}
