// Each warp transposes a 32 x 32 matrix of bits.
__global__ void bitmatrix_transpose_ballot(const unsigned *in, unsigned *out)
{
    __shared__ unsigned rows[4][32];
    unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    unsigned first = (blockIdx.x * 4 + warp) * 32;
    unsigned word = in[first + lane];
#pragma unroll
    for (int bit = 0; bit < 32; bit++) {
        unsigned column = __ballot_sync(0xffffffff, word >> bit & 1);
        if (lane == bit) rows[warp][bit] = column;
    }
    __syncwarp();
    out[first + lane] = rows[warp][lane];
}
