__global__ void partial_last_warp(const short* in, int* out, int n) {
  __shared__ int s[100];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  s[t] = (i < n) ? in[i] : -1;
  __syncthreads();
  int j = blockDim.x - 1 - t;
  if (i < n && (s[j] != 5 || t > 90)) out[i] = s[j] * 2 + s[t / 2];
}
