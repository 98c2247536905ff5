__global__ void demosaic_bilinear_rggb(const unsigned short *raw, float *out, int w, int h)
{
    __shared__ unsigned short t[18][18];
    for (int y = threadIdx.y; y < 18; y += blockDim.y)
        for (int x = threadIdx.x; x < 18; x += blockDim.x) {
            int gx = (int)(blockIdx.x * 16 + x) - 1, gy = (int)(blockIdx.y * 16 + y) - 1;
            if (gx < 0) gx = 1;
            if (gy < 0) gy = 1;
            if (gx >= w) gx = w - 2;
            if (gy >= h) gy = h - 2;
            t[y][x] = raw[gy * w + gx];
        }
    __syncthreads();
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (y >= h) return;
    int i = threadIdx.y + 1, j = threadIdx.x + 1;
    int c = t[i][j];
    int cross = (t[i - 1][j] + t[i + 1][j] + t[i][j - 1] + t[i][j + 1]) >> 2;
    int diag = (t[i - 1][j - 1] + t[i - 1][j + 1] + t[i + 1][j - 1] + t[i + 1][j + 1]) >> 2;
    int hor = (t[i][j - 1] + t[i][j + 1]) >> 1, ver = (t[i - 1][j] + t[i + 1][j]) >> 1;
    float r, g, b;
    switch ((y & 1) * 2 + (x & 1)) {
    case 0: r = c; g = cross; b = diag; break;
    case 1: r = hor; g = c; b = ver; break;
    case 2: r = ver; g = c; b = hor; break;
    default: r = diag; g = cross; b = c; break;
    }
    float *p = out + (y * w + x) * 3;
    p[0] = r; p[1] = g; p[2] = b;
}
