// A blocked SGEMM: a block makes 64 x 64 of C, in steps of 8 along K; a thread makes 8 results down a column.
__global__ void sgemm(int m, int n, int k, float alpha, const float *a, const float *b, float beta, float *c)
{
    __shared__ float as[64 * 8];
    __shared__ float bs[8 * 64];

    const unsigned int block_row = blockIdx.y, block_column = blockIdx.x;
    const int row = threadIdx.x / 64, column = threadIdx.x % 64;
    const int a_row = threadIdx.x / 8, a_column = threadIdx.x % 8;
    const int b_row = threadIdx.x / 64, b_column = threadIdx.x % 64;

    a += block_row * 64 * k;
    b += block_column * 64;
    c += block_row * 64 * n + block_column * 64;

    float results[8] = {0.0f};
    for (int step = 0; step < k; step += 8) {
        as[a_row * 8 + a_column] = a[a_row * k + a_column];
        bs[b_row * 64 + b_column] = b[b_row * n + b_column];
        __syncthreads();
        a += 8;
        b += 8 * n;
        for (int dot = 0; dot < 8; ++dot) {
            const float value = bs[dot * 64 + column];
            for (int i = 0; i < 8; ++i)
                results[i] += as[(row * 8 + i) * 8 + dot] * value;
        }
        __syncthreads();
    }
    for (int i = 0; i < 8; ++i) {
        const int at = (row * 8 + i) * n + column;
        c[at] = alpha * results[i] + beta * c[at];
    }
}
