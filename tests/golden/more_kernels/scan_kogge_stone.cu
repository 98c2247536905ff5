__global__ void scan_kogge_stone(const float* in, float* out) {
  __shared__ float buffer[256];
  int i = threadIdx.x;
  buffer[i] = in[blockIdx.x * 256 + i];
  for (int stride = 1; stride < 256; stride *= 2) {
    __syncthreads();
    float t = 0.0f;
    if (i >= stride) t = buffer[i - stride];
    __syncthreads();
    if (i >= stride) buffer[i] += t;
  }
  out[blockIdx.x * 256 + i] = buffer[i];
}
