// block-local red-black sweeps; the tile's rim stays as it is
__global__ void gauss_seidel_red_black(const float *u, const float *f, float *out, int nx, int sweeps)
{
    __shared__ float s[16][16];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int g = (blockIdx.y * 16 + ty) * nx + blockIdx.x * 16 + tx;
    const bool inside = tx > 0 && tx < 15 && ty > 0 && ty < 15;
    s[ty][tx] = u[g];
    const float rhs = f[g];
    __syncthreads();
    for (int it = 0; it < sweeps; it++) {
        for (int color = 0; color < 2; color++) {
            if (inside && ((tx + ty) & 1) == color)
                s[ty][tx] = 0.25f * (s[ty][tx - 1] + s[ty][tx + 1] + s[ty - 1][tx] + s[ty + 1][tx] - rhs);
            __syncthreads();
        }
    }
    out[g] = s[ty][tx];
}
