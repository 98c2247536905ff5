// running maximum along rows, one row per threadIdx.y, 16-bit data
__global__ void scan_max_u16_rows(const unsigned short *src, unsigned short *dst, int width)
{
    __shared__ unsigned short line[2][64 + 1];
    const int x = threadIdx.x, r = threadIdx.y;
    const int row = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.y + r;
    line[r][x] = src[row * width + x];
    __syncthreads();
    for (int d = 1; d < 64; d += d) {
        unsigned short v = line[r][x];
        if (x >= d) {
            unsigned short w = line[r][x - d];
            v = w > v ? w : v;
        }
        __syncthreads();
        line[r][x] = v;
        __syncthreads();
    }
    dst[row * width + x] = line[r][x];
}
