// 3 x 3, stride 1, zero padding; the last column is left out
__global__ void depthwise_conv_nhwc(const float* __restrict__ input, const float* __restrict__ weights,
                                    float* __restrict__ output, int H, int W, int C)
{
    const int c = threadIdx.x;
    const int ox = blockIdx.x * blockDim.y + threadIdx.y;
    const int oy = blockIdx.y;
    const int outW = W - 1;
    if (ox >= outW) return;
    float sum = 0.0f;
    for (int ky = 0; ky < 3; ky++) {
        int iy = oy + ky - 1;
        if (iy < 0 || iy >= H) continue;
        for (int kx = 0; kx < 3; kx++) {
            int ix = ox + kx - 1;
            if (ix < 0 || ix >= W) continue;
            sum += input[(iy * W + ix) * C + c] * weights[(ky * 3 + kx) * C + c];
        }
    }
    output[(oy * outW + ox) * C + c] = sum;
}
