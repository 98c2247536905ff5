#define ORDER 32
#define TRI(i, j) ((i) * ((i) + 1) / 2 + (j))
// Forward substitution with L packed by rows, one warp a system.
__global__ void trsv_packed_lower(const float *Lp, float *b)
{
    __shared__ float L[ORDER * (ORDER + 1) / 2];
    __shared__ float x[ORDER];
    const int t = threadIdx.x;
    Lp += blockIdx.x * (ORDER * (ORDER + 1) / 2);
    b += blockIdx.x * ORDER;
    for (int i = t; i < ORDER * (ORDER + 1) / 2; i += ORDER) L[i] = Lp[i];
    x[t] = b[t];
    __syncthreads();
    for (int j = 0; j < ORDER; j++) {
        if (t == j) x[j] /= L[TRI(j, j)];
        __syncthreads();
        if (t > j) x[t] -= L[TRI(t, j)] * x[j];
        __syncthreads();
    }
    b[t] = x[t];
}
