__global__ void k(int* out, const int4* in) {
  int4 v = in[threadIdx.x];
  out[threadIdx.x] = v.w;
}
