// separable 5-wide erosion of a byte image: rows into a second shared tile, then columns
__global__ void erode_bytes_rows_cols(const unsigned char *src, unsigned char *dst, int w, int h)
{
    __shared__ unsigned char a[12][36], b[12][32];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 8;
    for (int y = ty; y < 12; y += 8)
        for (int x = tx; x < 36; x += 32) {
            int gx = x0 + x - 2, gy = y0 + y - 2;
            a[y][x] = (gx < 0 || gy < 0 || gx >= w || gy >= h) ? 255 : src[gy * w + gx];
        }
    __syncthreads();
    for (int y = ty; y < 12; y += 8) {
        unsigned char m = a[y][tx];
#pragma unroll
        for (int k = 1; k < 5; ++k) m = min(m, a[y][tx + k]);
        b[y][tx] = m;
    }
    __syncthreads();
    unsigned char m = b[ty][tx];
#pragma unroll
    for (int k = 1; k < 5; ++k) m = min(m, b[ty + k][tx]);
    if (x0 + tx < w && y0 + ty < h) dst[(y0 + ty) * w + x0 + tx] = m;
}
