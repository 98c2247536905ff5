struct Blob1_103 { int a[3]; };
__global__ void k103(unsigned* out, const int* in, int* out2, int n, int m) {
  const int t = threadIdx.x;
  unsigned acc = 0;
  { Blob1_103 b; memcpy(&b, in + t * 2, sizeof b); acc += b.a[0] + b.a[1]; Blob1_103 c2 = *reinterpret_cast<const Blob1_103*>(in + t * 4); acc += c2.a[1]; }
  out[(blockIdx.x + blockIdx.y * gridDim.x) * (blockDim.x * blockDim.y * blockDim.z) + t] = acc;
}
