__global__ void scan_ping_pong_unrolled(const float *g_idata, float *g_odata, int n) {
  extern __shared__ float temp[];
  int thid = threadIdx.x;
  int pout = 0, pin = 1;
  int base = blockIdx.x * n;
  temp[pout * n + thid] = (thid > 0) ? g_idata[base + thid - 1] : 0;
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    pout = 1 - pout;
    pin = 1 - pout;
    if (thid >= offset)
      temp[pout * n + thid] = temp[pin * n + thid] + temp[pin * n + thid - offset];
    else
      temp[pout * n + thid] = temp[pin * n + thid];
    __syncthreads();
  }
  g_odata[base + thid] = temp[pout * n + thid];
}
