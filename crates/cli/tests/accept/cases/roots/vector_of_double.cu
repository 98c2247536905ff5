__global__ void k(double* out, const double2* in) {
  double2 v = in[threadIdx.x * 5 & 31];
  out[threadIdx.x] = v.y;
}
