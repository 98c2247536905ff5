// A sparse matrix times a vector, a row a thread: ELLPACK-R, the entries of a row `rows` apart, up to 31 of them.
__global__ void spmv(const unsigned int *lengths, const unsigned int *columns, const float *values, const float *x, float *y,
                     unsigned int rows)
{
    unsigned int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    unsigned int length = lengths[row] & 31;
    float sum = 0.0f;
    for (unsigned int k = 0; k < length; ++k)
        sum += values[k * rows + row] * x[columns[k * rows + row] & 0xfffff];
    y[row] = sum;
}
