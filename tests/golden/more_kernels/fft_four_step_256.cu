// 256-point FFT as 16 x 16: direct DFT down the columns, twiddle, transpose, DFT along the rows
__device__ float2 cmul(float2 a, float2 b)
{
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

__global__ void fft_four_step_256(const float2 *data, float2 *result)
{
    __shared__ float2 s[16][16];
    __shared__ float2 w[16];
    const int j = threadIdx.x, k = threadIdx.y;
    const int t = k * 16 + j;
    if (t < 16) {
        float si, co;
        sincosf(-6.2831853f * t / 16.0f, &si, &co);
        w[t] = make_float2(co, si);
    }
    s[k][j] = data[blockIdx.x * 256 + t];
    __syncthreads();

    float2 acc = make_float2(0.f, 0.f);
    for (int m = 0; m < 16; m++) {
        float2 p = cmul(s[m][j], w[(m * k) & 15]);
        acc.x += p.x;
        acc.y += p.y;
    }
    float sn, cs;
    sincosf(-6.2831853f * (j * k) / 256.0f, &sn, &cs);
    acc = cmul(acc, make_float2(cs, sn));
    __syncthreads();
    s[j][k] = acc;
    __syncthreads();

    acc = make_float2(0.f, 0.f);
    for (int m = 0; m < 16; m++) {
        float2 p = cmul(s[m][j], w[(m * k) & 15]);
        acc.x += p.x;
        acc.y += p.y;
    }
    result[blockIdx.x * 256 + k * 16 + j] = acc;
}
