__global__ void k(int* out, const int* in, int n) {
  int a[4];
  memcpy(a, in + threadIdx.x * 4, sizeof a);
  out[threadIdx.x] = a[1] + a[3];
}
