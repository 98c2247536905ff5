#define KSIZE 5
// causal, one channel per blockIdx.y, weights (channels, KSIZE)
__global__ void conv1d_dilated(const float *x, const float *w, float *y, int L, int dilation)
{
    int c = blockIdx.y;
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= L) return;
    const float *xc = x + c * L;
    float acc = 0.f;
    for (int k = 0; k < KSIZE; k++) {
        int p = t - (KSIZE - 1 - k) * dilation;
        if (p >= 0) acc += w[c * KSIZE + k] * xc[p];
    }
    y[c * L + t] = acc;
}
