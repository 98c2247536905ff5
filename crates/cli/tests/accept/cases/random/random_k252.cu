__global__ void k252(double* out, const int* in, int* out2, int n, int m) {
  const int t = threadIdx.x + threadIdx.y * blockDim.x;
  double acc = 0;
  int la[4]; 
#pragma unroll
for (int q = 0; q < 4; ++q) la[q] = in[q * 32 + t]; for (int q = 0; q < 4 / 2; ++q) { int z = la[q]; la[q] = la[4 - 1 - q]; la[4 - 1 - q] = z; } acc += la[0] * 3 + la[3];
  out[(blockIdx.x + blockIdx.y * gridDim.x) * (blockDim.x * blockDim.y * blockDim.z) + t] = acc;
}
