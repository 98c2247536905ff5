#define RADIX 16
__global__ void radix_digit_count(const unsigned int* keys, unsigned int* counts, int shift) {
  __shared__ unsigned int local[RADIX][129];
  for (int d = 0; d < RADIX; ++d) local[d][threadIdx.x] = 0;
  const unsigned int* mine = keys + blockIdx.x * 1024;
  for (int i = 0; i < 8; ++i) {
    unsigned int digit = (mine[i * 128 + threadIdx.x] >> shift) & (RADIX - 1);
    local[digit][threadIdx.x]++;
  }
  __syncthreads();
  if (threadIdx.x < RADIX) {
    unsigned int sum = 0;
#pragma unroll 1
    for (int i = 0; i < 128; ++i) sum += local[threadIdx.x][i];
    counts[blockIdx.x * RADIX + threadIdx.x] = sum;
  }
}
