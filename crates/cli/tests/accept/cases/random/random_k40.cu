__global__ void k40(unsigned* __restrict__ out, const int* __restrict__ in, int* __restrict__ out2, int n, int m) {
  const int t = threadIdx.x + threadIdx.y * blockDim.x;
  unsigned acc = 0;
  __shared__ float st1_40[11][7]; if (threadIdx.z == 0) { st1_40[threadIdx.y + 1][threadIdx.x + 1] = in[t]; if (threadIdx.x == 0) st1_40[threadIdx.y + 1][0] = 1; if (threadIdx.y == blockDim.y - 1) st1_40[10][threadIdx.x + 1] = 2; } __syncthreads(); acc += st1_40[threadIdx.y][threadIdx.x + 1] + st1_40[threadIdx.y + 1][threadIdx.x] + st1_40[threadIdx.y + 1][threadIdx.x + 2];
  { int i = 0; while (true) { if (i >= 5 + (t & 1)) break; acc += in[i++ * 33 + t]; } }
  out[blockIdx.x * 45 + t] = acc;
}
