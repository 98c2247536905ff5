#define N 256
__global__ void scan_hillis_steele(const float* in, float* out) {
  __shared__ float temp[2 * N];
  int tid = threadIdx.x;
  int pout = 0, pin = 1;
  temp[pout * N + tid] = in[blockIdx.x * N + tid];
  __syncthreads();
  for (int offset = 1; offset < N; offset *= 2) {
    pout = 1 - pout;
    pin = 1 - pout;
    if (tid >= offset)
      temp[pout * N + tid] = temp[pin * N + tid] + temp[pin * N + tid - offset];
    else
      temp[pout * N + tid] = temp[pin * N + tid];
    __syncthreads();
  }
  out[blockIdx.x * N + tid] = temp[pout * N + tid];
}
