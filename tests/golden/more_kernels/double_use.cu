__global__ void double_use(const float* in, float* out) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t * 2] = in[blockIdx.x * 128 + t];
  __syncthreads();
  float a = s[2 * t];
  float b = a * s[2 * t];
  s[(2 * t + 1) % 256] = b;
  float c = s[2 * t];
  __syncthreads();
  out[blockIdx.x * 128 + t] = c + s[(2 * t + 3) % 256];
}
