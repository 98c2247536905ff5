#define DIM 6
__global__ void batched_dgemm_6x6(const double *A, const double *B, double *C,
                                  int batch, double alpha, double beta)
{
    __shared__ double sA[4][DIM][DIM];
    __shared__ double sB[4][DIM][DIM];
    int z = threadIdx.z;
    int m = blockIdx.x * blockDim.z + z;
    bool valid = m < batch;
    int e = m * DIM * DIM + threadIdx.y * DIM + threadIdx.x;
    if (valid) {
        sA[z][threadIdx.y][threadIdx.x] = A[e];
        sB[z][threadIdx.y][threadIdx.x] = B[e];
    }
    __syncthreads();
    if (!valid) return;
    double acc = 0.0;
    for (int k = 0; k < DIM; k++)
        acc += sA[z][threadIdx.y][k] * sB[z][k][threadIdx.x];
    C[e] = alpha * acc + beta * C[e];
}
