struct Rgb24 { unsigned char r, g, b; };
__device__ static unsigned char clamp8(float v) { return (unsigned char)fminf(fmaxf(v, 0.f), 255.f); }

// each thread converts a horizontal pair
__global__ void nv12_to_rgb24(const unsigned char *luma, const unsigned char *chroma, Rgb24 *rgb, int width, int height, int pitch)
{
    int x = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x + 1 >= width || y >= height) return;
    uchar2 uv = *(const uchar2 *)&chroma[(y >> 1) * pitch + x];
    float u = uv.x - 128.f, v = uv.y - 128.f;
    for (int i = 0; i < 2; i++) {
        float c = 1.164f * (luma[y * pitch + x + i] - 16.f);
        Rgb24 o;
        o.r = clamp8(c + 1.596f * v);
        o.g = clamp8(c - 0.392f * u - 0.813f * v);
        o.b = clamp8(c + 2.017f * u);
        rgb[y * width + x + i] = o;
    }
}
