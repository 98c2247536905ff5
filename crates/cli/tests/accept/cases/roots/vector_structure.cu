struct __align__(16) Q { float a; int b; float c, d; };
__global__ void k(float* out, const Q* in) {
  Q q = in[threadIdx.x];
  out[threadIdx.x] = q.a + q.d;
}
