// stride 2, kernel 3, padding 0 transposed convolution, gathered from the output side;
// blockIdx.z is the channel (depthwise), weights 3 x 3 per channel (two filter banks)
__global__ void conv_transpose_gather(const float *in, const float *w, float *out, int H, int W)
{
    int OW = 2 * W + 1, OH = 2 * H + 1;
    int ox = blockIdx.x * blockDim.x + threadIdx.x;
    int oy = blockIdx.y * blockDim.y + threadIdx.y;
    int c = blockIdx.z;
    if (ox >= OW || oy >= OH) return;
    float acc = 0;
    for (int ky = 0; ky < 3; ky++) {
        int iy = oy - ky;
        if (iy < 0 || iy % 2 != 0) continue;
        iy /= 2;
        if (iy >= H) continue;
        for (int kx = 0; kx < 3; kx++) {
            int ix = ox - kx;
            if (ix < 0 || (ix & 1)) continue;
            ix >>= 1;
            if (ix >= W) continue;
            acc += in[(c * H + iy) * W + ix] * w[c * 9 + ky * 3 + kx];
        }
    }
    out[(c * OH + oy) * OW + ox] = acc;
}
