__global__ void k312(double* __restrict__ out, const int* __restrict__ in, int* __restrict__ out2, int n, int m) {
  const int t = threadIdx.x;
  double acc = 0;
  int la[4]; 
#pragma unroll
for (int q = 0; q < 4; ++q) la[q] = in[q * 64 + t]; for (int q = 0; q < 4 / 2; ++q) { int z = la[q]; la[q] = la[4 - 1 - q]; la[4 - 1 - q] = z; } acc += la[0] * 3 + la[3];
  out[t] = acc;
}
