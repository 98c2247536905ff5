template <int ROWS, int COLS>
__device__ void load_tile(float (&t)[ROWS][COLS], const float *p, int ld, int r0, int c0)
{
    t[threadIdx.y][threadIdx.x] = p[(r0 + threadIdx.y) * ld + c0 + threadIdx.x];
}

template <int ROWS, int COLS>
__device__ float row_dot(const float (&a)[ROWS][COLS], const float (&b)[ROWS][COLS], int i, int j)
{
    float s = 0.f;
    for (int k = 0; k < ROWS; k++) s += a[i][k] * b[j][k];
    return s;
}

// C = A * B^T
__global__ void array_reference_tiles(const float *A, const float *B, float *C, int ld)
{
    __shared__ float a[16][20], b[16][20];
    float c = 0.f;
    for (int k = 0; k < ld; k += 16) {
        load_tile(a, A, ld, blockIdx.y * 16, k);
        load_tile(b, B, ld, blockIdx.x * 16, k);
        __syncthreads();
        c += row_dot(a, b, threadIdx.y, threadIdx.x);
        __syncthreads();
    }
    C[(blockIdx.y * 16 + threadIdx.y) * ld + blockIdx.x * 16 + threadIdx.x] = c;
}
