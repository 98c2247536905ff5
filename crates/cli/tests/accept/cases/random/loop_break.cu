__global__ void k(float* out, const float* in, int n) {
  int i = threadIdx.x; float sum = 0;
  while (true) { if (!(i < n)) break; sum += in[i]; i += 32; }
  out[threadIdx.x] = sum;
}
