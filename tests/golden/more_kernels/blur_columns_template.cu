template <int RADIUS, int STEPS>
__global__ void blur_columns_template(const float *src, float *dst, int pitch)
{
    constexpr int ROWS = 8;
    __shared__ float s[32][ROWS * STEPS + 2 * RADIUS + 1];
    const int x = blockIdx.x * 32 + threadIdx.x;
    const int y0 = blockIdx.y * ROWS * STEPS;
    const int height = gridDim.y * ROWS * STEPS;
    for (int r = threadIdx.y; r < ROWS * STEPS + 2 * RADIUS; r += ROWS) {
        int y = y0 + r - RADIUS;
        s[threadIdx.x][r] = (y >= 0 && y < height) ? src[y * pitch + x] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < STEPS; i++) {
        float sum = 0.0f;
#pragma unroll
        for (int j = -RADIUS; j <= RADIUS; j++)
            sum += s[threadIdx.x][threadIdx.y + i * ROWS + RADIUS + j];
        dst[(y0 + i * ROWS + threadIdx.y) * pitch + x] = sum * (1.0f / (2 * RADIUS + 1));
    }
}
