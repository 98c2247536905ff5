// Every thread keeps the running sum of its row; rows are staged through shared memory, 32 columns at a time.
__global__ void box_filter_rows_running(const float *id, float *od, int w, int r)
{
    __shared__ float row[32][65];
    const float scale = 1.0f / (2 * r + 1);
    const int first = blockIdx.x * 32;
    for (int y = 0; y < 32; y++)
        for (int x = threadIdx.x; x < w; x += 32) row[y][x] = id[(first + y) * w + x];
    __syncthreads();

    float *mine = row[threadIdx.x];
    float t = mine[0] * r;
    for (int x = 0; x < r + 1; x++) t += mine[x];
    float *o = od + (first + threadIdx.x) * w;
    o[0] = t * scale;
    for (int x = 1; x < r + 1; x++) {
        t += mine[x + r];
        t -= mine[0];
        o[x] = t * scale;
    }
    for (int x = r + 1; x < w - r; x++) {
        t += mine[x + r];
        t -= mine[x - r - 1];
        o[x] = t * scale;
    }
    for (int x = w - r; x < w; x++) {
        t += mine[w - 1];
        t -= mine[x - r - 1];
        o[x] = t * scale;
    }
}
