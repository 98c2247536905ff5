__global__ void bytes_in_dynamic(const unsigned char* in, int* out) {
  extern __shared__ unsigned char b[];
  int t = threadIdx.x;
  for (int k = 0; k < 4; k++) b[t * 4 + k] = in[blockIdx.x * 256 + k * 64 + t];
  __syncthreads();
  int s = 0;
  for (int k = 0; k < 4; k++) s += b[((t * 3) & 63) * 4 + k] * k;
  out[blockIdx.x * 64 + t] = s;
}
