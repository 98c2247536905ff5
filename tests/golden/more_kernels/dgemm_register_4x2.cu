#define TM 4
#define TN 2
#define BK 8
__global__ void dgemm_register_4x2(const double *A, const double *B, double *C, int n)
{
    __shared__ double As[BK][8 * TM];
    __shared__ double Bs[BK][16 * TN];
    const int tid = threadIdx.y * 16 + threadIdx.x;
    const int row0 = blockIdx.y * 8 * TM, col0 = blockIdx.x * 16 * TN;
    double acc[TM][TN];
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++) acc[i][j] = 0.0;

    for (int k0 = 0; k0 < n; k0 += BK) {
        for (int e = tid; e < BK * 8 * TM; e += 128) As[e % BK][e / BK] = A[(row0 + e / BK) * n + k0 + e % BK];
        for (int e = tid; e < BK * 16 * TN; e += 128) Bs[e / 32][e % 32] = B[(k0 + e / 32) * n + col0 + e % 32];
        __syncthreads();
        #pragma unroll
        for (int k = 0; k < BK; k++) {
            double a[TM], b[TN];
            #pragma unroll
            for (int i = 0; i < TM; i++) a[i] = As[k][threadIdx.y + i * 8];
            #pragma unroll
            for (int j = 0; j < TN; j++) b[j] = Bs[k][threadIdx.x + j * 16];
            #pragma unroll
            for (int i = 0; i < TM; i++)
                #pragma unroll
                for (int j = 0; j < TN; j++) acc[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++)
            C[(row0 + threadIdx.y + i * 8) * n + col0 + threadIdx.x + j * 16] = acc[i][j];
}
