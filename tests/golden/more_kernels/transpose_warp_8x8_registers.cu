// each warp moves an 8 x 32 strip, writes 32 x 8 through a private skewed buffer
__global__ void transpose_warp_8x8_registers(const float *__restrict__ in, float *__restrict__ out, int ld)
{
    __shared__ float buf[4][8 * 36];
    const int lane = threadIdx.x;
    float *mine = buf[threadIdx.y];
    for (int strip = threadIdx.y; strip < 16; strip += 4) {
        if ((strip & 3) != (int)blockIdx.x) continue;
        const int r0 = (strip >> 1) * 8, c0 = (strip & 1) * 32;
        #pragma unroll
        for (int r = 0; r < 8; ++r)
            mine[r * 36 + lane] = in[(r0 + r) * ld + c0 + lane];
        __syncwarp();
        #pragma unroll
        for (int q = 0; q < 8; ++q) {
            int r = lane % 8, c = lane / 8 + q * 4;
            out[(c0 + c) * ld + r0 + r] = mine[r * 36 + c];
        }
        __syncwarp();
    }
}
