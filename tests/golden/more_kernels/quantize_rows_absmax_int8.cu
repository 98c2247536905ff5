__global__ void quantize_rows_absmax_int8(const float *in, signed char *out, float *scales, int cols)
{
    __shared__ float red[64];
    in += blockIdx.x * cols;
    out += blockIdx.x * cols;
    float amax = 0.f;
    for (int i = threadIdx.x; i < cols; i += 64) amax = fmaxf(amax, fabsf(in[i]));
    red[threadIdx.x] = amax;
    __syncthreads();
    if (threadIdx.x < 32) {
        amax = fmaxf(red[threadIdx.x], red[threadIdx.x + 32]);
        for (int m = 16; m >= 1; m >>= 1) amax = fmaxf(amax, __shfl_xor_sync(0xffffffff, amax, m));
        if (threadIdx.x == 0) red[0] = amax;
    }
    __syncthreads();
    const float scale = red[0] / 127.f;
    const float inv = scale == 0.f ? 0.f : 1.f / scale;
    for (int i = threadIdx.x; i < cols; i += 64)
        out[i] = (signed char)max(-127, min(127, __float2int_rn(in[i] * inv)));
    if (threadIdx.x == 0) scales[blockIdx.x] = scale;
}
