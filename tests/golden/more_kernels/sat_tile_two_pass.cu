// summed-area table of each 32 x 32 tile: warp scans along rows with shuffles, then along columns from shared
__global__ void sat_tile_two_pass(const unsigned char *img, unsigned int *sat, int w)
{
    __shared__ unsigned int t[32][32];
    const int lane = threadIdx.x;
    const int ox = blockIdx.x * 32, oy = blockIdx.y * 32;
    for (int r = threadIdx.y; r < 32; r += 4) {
        unsigned int v = img[(oy + r) * w + ox + lane];
        for (int d = 1; d < 32; d *= 2) {
            unsigned int u = __shfl_up_sync(0xffffffff, v, d);
            if (lane >= d) v += u;
        }
        t[r][lane] = v;
    }
    __syncthreads();
    for (int c = threadIdx.y; c < 32; c += 4) {
        unsigned int v = t[lane][c];
        for (int d = 1; d < 32; d *= 2) {
            unsigned int u = __shfl_up_sync(0xffffffff, v, d);
            if (lane >= d) v += u;
        }
        t[lane][c] = v;
    }
    __syncthreads();
    for (int r = threadIdx.y; r < 32; r += 4) sat[(oy + r) * w + ox + lane] = t[r][lane];
}
