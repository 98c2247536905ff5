__global__ void rgb_to_hsv_planes(const uchar3 *rgb, float *h, float *s, float *v, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int i = y * width + x;
    uchar3 c = rgb[i];
    float r = c.x / 255.0f, g = c.y / 255.0f, b = c.z / 255.0f;
    float mx = fmaxf(r, fmaxf(g, b));
    float mn = fminf(r, fminf(g, b));
    float delta = mx - mn;
    float hue = 0.0f;
    if (delta > 0.0f) {
        if (mx == r)
            hue = 60.0f * fmodf((g - b) / delta, 6.0f);
        else if (mx == g)
            hue = 60.0f * ((b - r) / delta + 2.0f);
        else
            hue = 60.0f * ((r - g) / delta + 4.0f);
    }
    h[i] = hue < 0.0f ? hue + 360.0f : hue;
    s[i] = mx > 0.0f ? delta / mx : 0.0f;
    v[i] = mx;
}
