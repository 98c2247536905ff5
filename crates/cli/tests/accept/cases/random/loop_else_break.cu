__global__ void k(float* out, const float* in, int n) {
  int i = threadIdx.x; float sum = 0;
  while (1) { if (i < n) { sum += in[i]; i += 32; } else break; }
  out[threadIdx.x] = sum;
}
