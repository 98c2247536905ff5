__global__ void gaussian5x5_uchar4_image(const uchar4 *src, uchar4 *dst, int w, int h)
{
    const int coef[5] = {1, 4, 6, 4, 1};
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int r = 0, g = 0, b = 0;
    for (int dy = -2; dy <= 2; dy++) {
        int yy = min(max(y + dy, 0), h - 1);
        for (int dx = -2; dx <= 2; dx++) {
            int xx = min(max(x + dx, 0), w - 1);
            uchar4 p = src[yy * w + xx];
            int c = coef[dx + 2] * coef[dy + 2];
            r += c * p.x; g += c * p.y; b += c * p.z;
        }
    }
    uchar4 q;
    q.x = r >> 8; q.y = g >> 8; q.z = b >> 8; q.w = 255;
    dst[y * w + x] = q;
}
