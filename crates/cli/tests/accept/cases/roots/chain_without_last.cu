__global__ void k(int* out, const int* in, int n) {
  __shared__ int s[128];
  int t = threadIdx.x;
  for (int i = t; i < 128; i += 32) s[i] = in[i];
  __syncthreads();
  int v = 0;
  if (t < 5) v = s[t * 3];
  else if (t & 1) v = s[127 - t];
  out[t] = v;
}
