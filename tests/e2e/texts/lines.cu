// Blocks of 32 x 8 threads: each thread sums four neighbours of a 32 x 32 tile.
__global__ void four_sums(float *out, const float *in) {
    __shared__ float tile[32][32];
    int x = threadIdx.x, y = threadIdx.y;
    for (int k = 0; k < 4; k++) {
        tile[8 * k + y][x] = in[32 * (8 * k + y) + x];
    }
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < 4; k++) {
        sum += tile[x][4 * y + k];
    }
    out[32 * y + x] = sum;
}
