__global__ void k(int* out, const int* in, int n) {
  __shared__ __align__(16) int s[256];
  int t = threadIdx.x;
  for (int i = t; i < 256; i += 32) s[i] = in[i];
  __syncthreads();
  int a[2];
  memcpy(a, s + t * 2, 8);
  out[t] = a[0] * a[1];
}
