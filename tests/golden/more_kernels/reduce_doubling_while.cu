__global__ void reduce_doubling_while(const float* in, float* out) {
  __shared__ float s[192];
  unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * 192 + t];
  unsigned stride = 1;
  while (stride < blockDim.x) {
    __syncthreads();
    unsigned i = 2 * stride * t;
    if (i + stride < blockDim.x) s[i] += s[i + stride];
    stride <<= 1;
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
