#define BLOCK_SIZE 16
__global__ void matmul_unrolled_default(float *C, float *A, float *B, int N) {
  __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
  __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];
  int bx = blockIdx.x, by = blockIdx.y;
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = by * BLOCK_SIZE + ty;
  int col = bx * BLOCK_SIZE + tx;
  float Cvalue = 0;
  for (int m = 0; m < N / BLOCK_SIZE; ++m) {
    As[ty][tx] = A[row * N + m * BLOCK_SIZE + tx];
    Bs[ty][tx] = B[(m * BLOCK_SIZE + ty) * N + col];
    __syncthreads();
    for (int e = 0; e < BLOCK_SIZE; ++e) Cvalue += As[ty][e] * Bs[e][tx];
    __syncthreads();
  }
  C[row * N + col] = Cvalue;
}
