__global__ void break_and_continue_unrolled(const float* in, float* out) {
  __shared__ float s[256];
  int t = threadIdx.x;
  for (int i = t; i < 256; i += 128) s[i] = in[blockIdx.x * 256 + i];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 16; i++) {
    if (i > t) break;
    if ((i + t) % 3 == 0) continue;
    sum += s[(t * 2 + i * 5) & 255];
  }
  out[blockIdx.x * 128 + t] = sum;
}
