__device__ void tail(volatile int* s, int t) {
  s[t] += s[t + 32];
  s[t] += s[t + 16];
  s[t] += s[t + 8];
  s[t] += s[t + 4];
  s[t] += s[t + 2];
  s[t] += s[t + 1];
}
__global__ void volatile_warp_tail(const int* in, int* out, int n) {
  __shared__ int s[128];
  int t = threadIdx.x;
  int i = blockIdx.x * (blockDim.x * 2) + t;
  int mySum = (i < n) ? in[i] : 0;
  if (i + blockDim.x < n) mySum += in[i + blockDim.x];
  s[t] = mySum;
  __syncthreads();
  for (unsigned int k = blockDim.x / 2; k > 32; k >>= 1) {
    if (t < k) s[t] = mySum = mySum + s[t + k];
    __syncthreads();
  }
  if (t < 32) tail(s, t);
  if (t == 0) out[blockIdx.x] = s[0];
}
