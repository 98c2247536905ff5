__global__ void pointers_advanced(const float* a, const float* b, float* c, int n) {
  const float* pa = a + blockIdx.x * 64 * n + threadIdx.x;
  const float* pb = b + (blockIdx.x * 64 + threadIdx.x) * n;
  const float* end = pb + n;
  float acc = 0.f;
  while (pb != end) {
    acc += *pa * *pb++;
    pa += 64;
  }
  c[blockIdx.x * 64 + threadIdx.x] = acc;
}
