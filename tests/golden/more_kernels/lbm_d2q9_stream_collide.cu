#define FIDX(q, x, y) (((q) * ny + (y)) * nx + (x))
__global__ void lbm_d2q9_stream_collide(const float *__restrict__ fin, float *__restrict__ fout, int nx, int ny, float omega)
{
    const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
    const int cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    const float w[9] = {4.f/9, 1.f/9, 1.f/9, 1.f/9, 1.f/9, 1.f/36, 1.f/36, 1.f/36, 1.f/36};
    int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
    if (x >= nx || y >= ny) return;
    float f[9], rho = 0.f, ux = 0.f, uy = 0.f;
#pragma unroll
    for (int q = 0; q < 9; ++q) {
        int xs = (x - cx[q] + nx) % nx;
        int ys = (y - cy[q] + ny) % ny;
        f[q] = fin[FIDX(q, xs, ys)];
        rho += f[q];
        ux += cx[q] * f[q];
        uy += cy[q] * f[q];
    }
    ux /= rho; uy /= rho;
    float usq = 1.5f * (ux * ux + uy * uy);
#pragma unroll
    for (int q = 0; q < 9; ++q) {
        float cu = 3.f * (cx[q] * ux + cy[q] * uy);
        float feq = w[q] * rho * (1.f + cu + 0.5f * cu * cu - usq);
        fout[FIDX(q, x, y)] = f[q] - omega * (f[q] - feq);
    }
}
