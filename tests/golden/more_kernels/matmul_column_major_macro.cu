#define IDX2C(i,j,ld) (((j)*(ld))+(i))
#define TS 12
__global__ void matmul_column_major_macro(const int *A, const int *B, int *C, int n)
{
    __shared__ int sA[TS * TS], sB[TS * TS];
    int i = blockIdx.x * TS + threadIdx.x;
    int j = blockIdx.y * TS + threadIdx.y;
    int sum = 0;
    int tiles = n / TS;
    do {
        --tiles;
        sA[IDX2C(threadIdx.x, threadIdx.y, TS)] = A[IDX2C(i, tiles * TS + threadIdx.y, n)];
        sB[IDX2C(threadIdx.x, threadIdx.y, TS)] = B[IDX2C(tiles * TS + threadIdx.x, j, n)];
        __syncthreads();
        for (int k = 0; k < TS; ++k)
            sum += sA[IDX2C(threadIdx.x, k, TS)] * sB[IDX2C(k, threadIdx.y, TS)];
        __syncthreads();
    } while (tiles > 0);
    C[IDX2C(i, j, n)] = sum;
}
