__global__ void complex_interleaved(const float* in, float* out) {
  extern __shared__ float c[];
  int t = threadIdx.x, b = blockIdx.x * 256;
  c[2 * t] = in[b + 2 * t];
  c[2 * t + 1] = in[b + 2 * t + 1];
  c[2 * t + 128] = in[b + 2 * t + 128];
  c[2 * t + 129] = in[b + 2 * t + 129];
  __syncthreads();
  int j = 127 - t;
  float re = c[2 * t] * c[2 * j] - c[2 * t + 1] * c[2 * j + 1];
  float im = c[2 * t] * c[2 * j + 1] + c[2 * t + 1] * c[2 * j];
  __syncthreads();
  out[b + 2 * t] = re;
  out[b + 2 * t + 1] = im;
  out[b + 2 * t + 128] = re;
  out[b + 2 * t + 129] = im;
}
