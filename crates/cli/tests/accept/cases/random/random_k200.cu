__global__ void k200(int* out, const int* in, int* out2, int n, int m) {
  const int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  int acc = 0;
  for (int i = t; i < n; i += m + 9) acc += in[(i ^ t) & 511];
  out[t] = acc;
}
