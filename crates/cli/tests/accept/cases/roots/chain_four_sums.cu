__global__ void k(int* out, const int* in, int n) {
  __shared__ int s[128];
  int t = threadIdx.x;
  for (int i = t; i < 128; i += 32) s[i] = in[i];
  __syncthreads();
  int v = t;
  if (t % 4 == 0) v += s[t];
  else if (t % 4 == 1) v += s[t * 2];
  else if (t % 4 == 2) v += s[t + 64];
  else v += s[100 - t];
  out[t] = v;
}
