__global__ void k(int* out, const int* in, int n) {
  int old = atomicExch(out + threadIdx.x, in[threadIdx.x]);
}
