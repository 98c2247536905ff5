__global__ void k(int* out, const unsigned char* in) {
  int v;
  memcpy(&v, in + 4 * threadIdx.x, 4);
  out[threadIdx.x] = v;
}
