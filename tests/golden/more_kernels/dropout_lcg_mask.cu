__device__ unsigned int lcg(unsigned int &state) {
  state = state * 1664525u + 1013904223u;
  return state;
}

__global__ void dropout_lcg_mask(const float *x, float *y, unsigned char *mask, int n, unsigned int seed, float p) {
  unsigned int state = seed ^ (blockIdx.x * blockDim.x + threadIdx.x) * 747796405u;
  const float scale = 1.0f / (1.0f - p);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float u = (lcg(state) >> 8) * (1.0f / 16777216.0f);
    bool keep = u >= p;
    mask[i] = keep;
    if (keep)
      y[i] = x[i] * scale;
    else
      y[i] = 0.0f;
  }
}
