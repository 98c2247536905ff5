// A warp reads four 8 x 8 matrices of halves: each lane gives the address of one row of 16 bytes.
__global__ void load(unsigned* out) {
  __shared__ __align__(16) __half tile[16 * {pitch} * 8 + 8];
  int lane = threadIdx.x;
  unsigned row = __cvta_generic_to_shared(&tile[lane % 16 * ({pitch} * 8) + lane / 16 * 8]);
  unsigned a, b, c, d;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" //@load
               : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(row));
  out[lane] = a + b + c + d;
}
