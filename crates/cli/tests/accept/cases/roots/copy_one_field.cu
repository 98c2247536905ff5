struct Pixel { float r, g, b; int id; };
__global__ void k(float* out, const Pixel* in) {
  Pixel p;
  memcpy(&p, in + threadIdx.x, sizeof p);
  out[threadIdx.x] = p.g;
}
