__global__ void k(float* out) {
  __shared__ float s[256];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float v;
  if (threadIdx.x < 8) v = s[threadIdx.x * 2];
  else if (threadIdx.x < 20) v = s[31 - threadIdx.x];
  else v = s[(threadIdx.x * 4) & 31];
  out[threadIdx.x] = v;
}
