// one 8 x 8 product per threadIdx.z
__global__ void batched_matmul_8x8(const float *A, const float *B, float *C)
{
    __shared__ float a[4][8][8];
    __shared__ float b[4][8][8];
    int z = threadIdx.z;
    int off = (blockIdx.x * 4 + z) * 64 + threadIdx.y * 8 + threadIdx.x;
    a[z][threadIdx.y][threadIdx.x] = A[off];
    b[z][threadIdx.y][threadIdx.x] = B[off];
    __syncthreads();
    float c = 0;
    for (int k = 0; k < 8; k++) c += a[z][threadIdx.y][k] * b[z][k][threadIdx.x];
    C[off] = c;
}
