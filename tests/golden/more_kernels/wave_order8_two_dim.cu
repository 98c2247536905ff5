// acoustic wave, 8th order in space, halo of 4 in both directions
__global__ void wave_order8_two_dim(float *pm, const float *p, const float *vel, int nx, int nz, float dtdx)
{
    const float c[5] = {-205.f / 72.f, 8.f / 5.f, -1.f / 5.f, 8.f / 315.f, -1.f / 560.f};
    __shared__ float sp[8 + 8][24 + 8];
    int ix = blockIdx.x * blockDim.x + threadIdx.x + 4;
    int iz = blockIdx.y * blockDim.y + threadIdx.y + 4;
    int sx = threadIdx.x + 4, sz = threadIdx.y + 4;
    int g = iz * nx + ix;
    bool in = ix < nx - 4 && iz < nz - 4;
    sp[sz][sx] = p[g];
    if (threadIdx.x < 4) {
        sp[sz][sx - 4] = p[g - 4];
        sp[sz][sx + 24] = p[g + 24];
    }
    if (threadIdx.y < 4) {
        sp[sz - 4][sx] = p[g - 4 * nx];
    } else {
        sp[sz + 4][sx] = p[g + 4 * nx];
    }
    __syncthreads();
    if (!in) return;
    float lap = 2.f * c[0] * sp[sz][sx];
    for (int k = 1; k <= 4; ++k)
        lap += c[k] * (sp[sz][sx - k] + sp[sz][sx + k] + sp[sz - k][sx] + sp[sz + k][sx]);
    float v = vel[g];
    pm[g] = 2.f * sp[sz][sx] - pm[g] + v * v * dtdx * lap;
}
