__global__ void bilinear_resize(const unsigned char *src, unsigned char *dst, int sw, int sh, int dw, int dh)
{
    const int x = blockDim.x * blockIdx.x + threadIdx.x;
    const int y = blockDim.y * blockIdx.y + threadIdx.y;
    if (x < dw && y < dh) {
        float fx = (x + 0.5f) * ((float)sw / dw) - 0.5f;
        float fy = (y + 0.5f) * ((float)sh / dh) - 0.5f;
        int x0 = (int)floorf(fx), y0 = (int)floorf(fy);
        float ax = fx - x0, ay = fy - y0;
        int x1 = min(x0 + 1, sw - 1), y1 = min(y0 + 1, sh - 1);
        x0 = max(x0, 0);
        y0 = max(y0, 0);
        float top = src[y0 * sw + x0] * (1.0f - ax) + src[y0 * sw + x1] * ax;
        float bottom = src[y1 * sw + x0] * (1.0f - ax) + src[y1 * sw + x1] * ax;
        dst[y * dw + x] = (unsigned char)(top * (1.0f - ay) + bottom * ay + 0.5f);
    }
}
