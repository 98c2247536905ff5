__global__ void k22(unsigned* out, const int* in, int* out2, int n, int m) {
  const int t = threadIdx.x;
  unsigned acc = 0;
  __shared__ int hw1_22[96]; if (t < 96) hw1_22[t] = t; __syncthreads(); if ((t / 16) & 1) acc += hw1_22[(t * 2) % 96]; else if (t % 3) acc += hw1_22[95 - t % 96]; else { acc += hw1_22[0]; }
  out[t] = acc;
}
