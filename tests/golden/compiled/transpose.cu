// A tile of 32 x 32 without padding: its columns are read with 32-way conflicts, its rows are written without.
__global__ void transpose(float* out, const float* in, int width) {
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    for (int row = 0; row < 32; row += 8)
        tile[threadIdx.y + row][threadIdx.x] = in[(y + row) * width + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int row = 0; row < 32; row += 8)
        out[(y + row) * width + x] = tile[threadIdx.x][threadIdx.y + row];
}

// Threads from `limit` on leave early; the others sum their neighbours in a loop with a division in it.
__global__ void strided(int* out, const int* in, int limit, int step) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= limit) return;
    int sum = 0;
    for (int i = at % step; i < limit; i += step) sum += in[i];
    out[at / step] = sum;
}
