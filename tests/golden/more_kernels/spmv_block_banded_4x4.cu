// block-tridiagonal matrix of 4 x 4 blocks; one warp per block row, lane = (row, col) in two blocks at once
__global__ void spmv_block_banded_4x4(const double *values, const double *x, double *y, int nb)
{
    const int br = blockIdx.x * blockDim.y + threadIdx.y;
    const int lane = threadIdx.x;
    const int r = lane % 4, c = (lane / 4) % 4, half = lane / 16;
    double s = 0.0;
    if (br < nb) {
        const int lo = br == 0 ? 0 : br - 1;
        const int hi = br + 1 < nb ? br + 1 : nb - 1;
        for (int bc = lo + half; bc <= hi; bc += 2) {
            int blk = 3 * br + (bc - br);
            if (blk >= 69) break;
            s += values[blk * 16 + c * 4 + r] * x[bc * 4 + c];
        }
    }
    s += __shfl_down_sync(0xffffffff, s, 16);
    s += __shfl_down_sync(0xffffffff, s, 8);
    s += __shfl_down_sync(0xffffffff, s, 4);
    if (lane < 4 && br < nb) y[br * 4 + lane] = s;
}
