__global__ void global_atomics_kinds(int* out, float* f, int n) {
  int t = threadIdx.x;
  atomicMax(&out[t & 31], t + blockIdx.x);
  atomicMin(&out[(t & 15) + 32], -t);
  atomicOr((unsigned*)&out[48 + (t & 7)], 1u << (t & 31));
  atomicAdd(&f[t & 31], 1.0f);
  if (t + 1 < n) atomicExch(&out[56 + (t & 7)], t);
}
