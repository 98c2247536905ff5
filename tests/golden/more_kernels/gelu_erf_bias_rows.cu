__global__ void gelu_erf_bias_rows(float *y, const float *x, const float *bias, int rows, int cols)
{
    const int row = blockIdx.x;
    if (row >= rows) return;
    for (int c = threadIdx.x; c < cols; c += blockDim.x) {
        const float v = x[row * cols + c] + bias[c];
        y[row * cols + c] = 0.5f * v * (1.0f + erff(v * 0.70710678118654752440f));
    }
}
