#define R 3
#define BW 16
__global__ void bilateral_tile_gray(const float *in, float *out, int width, int height, float sigma_s, float sigma_r)
{
    __shared__ float tile[BW + 2 * R][BW + 2 * R];
    const int bx = blockIdx.x * BW - R, by = blockIdx.y * BW - R;
    for (int k = threadIdx.y * BW + threadIdx.x; k < (BW + 2 * R) * (BW + 2 * R); k += BW * BW) {
        int ly = k / (BW + 2 * R), lx = k - ly * (BW + 2 * R);
        int gx = min(max(bx + lx, 0), width - 1), gy = min(max(by + ly, 0), height - 1);
        tile[ly][lx] = in[gy * width + gx];
    }
    __syncthreads();
    const float centre = tile[threadIdx.y + R][threadIdx.x + R];
    float num = 0.f, den = 0.f;
    for (int dy = -R; dy <= R; ++dy)
        for (int dx = -R; dx <= R; ++dx) {
            float v = tile[threadIdx.y + R + dy][threadIdx.x + R + dx];
            float d = v - centre;
            float w = expf(-(dx * dx + dy * dy) / (2 * sigma_s * sigma_s)) * expf(-d * d / (2 * sigma_r * sigma_r));
            num += w * v;
            den += w;
        }
    int x = bx + R + threadIdx.x, y = by + R + threadIdx.y;
    if (x < width && y < height) out[y * width + x] = num / den;
}
