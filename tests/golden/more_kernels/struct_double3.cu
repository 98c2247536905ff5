struct Body {
  double x, y, z;
};
__global__ void struct_double3(const Body* p, double* out) {
  __shared__ Body s[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  s[threadIdx.x] = p[i];
  __syncthreads();
  Body b = s[63 - threadIdx.x];
  out[i] = b.x * b.x + b.y * b.y + b.z * b.z;
}
