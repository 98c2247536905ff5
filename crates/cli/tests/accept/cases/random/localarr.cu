__global__ void k(int* out, const int* in) {
  int a[8];
  for (int q = 0; q < 8; ++q) a[q] = in[q * 32 + threadIdx.x];
  for (int q = 0; q < 4; ++q) { int z = a[q]; a[q] = a[7 - q]; a[7 - q] = z; }
  out[threadIdx.x] = a[0] * 3 + a[7];
}
