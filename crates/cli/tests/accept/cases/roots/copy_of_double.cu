__global__ void k(double* out, const int* in) {
  double d;
  memcpy(&d, in + threadIdx.x * 2, 8);
  out[threadIdx.x] = d;
}
