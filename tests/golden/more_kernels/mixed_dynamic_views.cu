__global__ void mixed_dynamic_views(const double* in, float* out) {
  extern __shared__ unsigned char raw[];
  double* sd = (double*)raw;
  int* si = (int*)(raw + 128 * sizeof(double));
  short* ss = reinterpret_cast<short*>(si + 128);
  int t = threadIdx.x;
  sd[t] = in[blockIdx.x * 128 + t];
  si[t] = t * 3;
  ss[t] = (short)(t * 5);
  __syncthreads();
  int other = (t * 7) & 127;
  out[blockIdx.x * 128 + t] = (float)sd[other] + si[(t * 2) & 127] + ss[(t * 4) & 127];
}
