__global__ void int_tuple_unpack_loop(const int4* in, int* out) {
  int4 a = in[(blockIdx.x * 32 + threadIdx.x)];
  const int* p = &a.x;
  int s = 0;
  for (int i = 0; i < 4; i++) s += p[i] * (i + 1);
  out[blockIdx.x * 32 + threadIdx.x] = s;
}
