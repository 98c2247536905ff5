__global__ void rotate_image_nearest(const float *in, float *out, int w, int h, float sinA, float cosA)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float fx = x - 0.5f * w, fy = y - 0.5f * h;
    int sx = (int)floorf(fx * cosA + fy * sinA + 0.5f * w);
    int sy = (int)floorf(-fx * sinA + fy * cosA + 0.5f * h);
    float v = 0.f;
    if (sx >= 0 && sx < w && sy >= 0 && sy < h)
        v = in[sy * w + sx];
    out[y * w + x] = v;
}
