__global__ void pointer_walk_columns(const short *__restrict__ a, int *__restrict__ max_out, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= cols) return;
    const short *const end = a + rows * cols;
    int best = -32768;
    for (const short *p = a + col; p < end; p += cols)
        best = max(best, (int)*p);
    max_out[col] = best;
}
