// HDR tone mapping homework: min and max at once, 240 threads, non-power-of-two tree
__global__ void luma_minmax_two_reductions(const float *lum, float2 *mm, int cols, int rows)
{
    __shared__ float2 s[240];
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    int x = blockIdx.x * 24 + threadIdx.x, y = blockIdx.y * 24 + threadIdx.y;
    float lo = 1e30f, hi = -1e30f;
    for (int dy = 0; dy < 24; dy += 12) {
        for (int dx = 0; dx < 24; dx += 20) {
            if (threadIdx.x + dx >= 24) break;
            float v = log10f(lum[(y + dy) * cols + x + dx] + 1e-4f);
            lo = fminf(lo, v);
            hi = fmaxf(hi, v);
        }
    }
    s[t] = make_float2(lo, hi);
    __syncthreads();
    for (int n = 240; n > 1;) {
        int half = (n + 1) / 2;
        if (t < n / 2) {
            float2 o = s[t + half];
            s[t].x = fminf(s[t].x, o.x);
            s[t].y = fmaxf(s[t].y, o.y);
        }
        n = half;
        __syncthreads();
    }
    if (t == 0) mm[blockIdx.y * gridDim.x + blockIdx.x] = s[0];
}
