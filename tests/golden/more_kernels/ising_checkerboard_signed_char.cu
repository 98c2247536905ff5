__device__ __forceinline__ unsigned xorshift32(unsigned s) { s ^= s << 13; s ^= s >> 17; s ^= s << 5; return s; }

// a 16 x 16 spin tile per block with periodic boundary inside the tile; both colours, Metropolis
__global__ void ising_checkerboard_signed_char(signed char *lattice, int *energy, int nx, float beta, unsigned seed)
{
    __shared__ signed char sp[16][16];
    __shared__ int e;
    int tx = threadIdx.x, ty = threadIdx.y;
    signed char *base = lattice + blockIdx.y * 16 * nx + blockIdx.x * 16;
    for (int y = ty; y < 16; y += 8) sp[y][tx] = base[y * nx + tx] ? -1 : 1;
    if (tx + ty == 0) e = 0;
    unsigned rng = xorshift32(seed ^ ((blockIdx.y * gridDim.x + blockIdx.x) * 128u + ty * 16 + tx + 1) * 747796405u);
    for (int color = 0; color < 2; ++color) {
        __syncthreads();
        int y = ty * 2 + ((tx + color) & 1);
        int nn = sp[(y + 1) & 15][tx] + sp[(y + 15) & 15][tx] + sp[y][(tx + 1) & 15] + sp[y][(tx + 15) & 15];
        float dE = 2.f * sp[y][tx] * nn;
        rng = xorshift32(rng);
        float u = rng * 2.3283064e-10f;
        sp[y][tx] = u < __expf(-beta * dE) ? -sp[y][tx] : sp[y][tx];
    }
    __syncthreads();
    int local = 0;
    for (int y = ty; y < 16; y += 8) {
        local -= sp[y][tx] * (sp[y][(tx + 1) & 15] + sp[(y + 1) & 15][tx]);
        base[y * nx + tx] = sp[y][tx];
    }
    atomicAdd(&e, local);
    __syncthreads();
    if (tx == 0 && ty == 0) energy[blockIdx.y * gridDim.x + blockIdx.x] = e;
}
