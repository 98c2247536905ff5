struct Moments { float sum, sq; };

__device__ Moments block_moments(Moments m)
{
    __shared__ Moments part[4];
    for (int o = 16; o; o >>= 1) {
        m.sum += __shfl_down_sync(~0u, m.sum, o);
        m.sq += __shfl_down_sync(~0u, m.sq, o);
    }
    if ((threadIdx.x & 31) == 0) part[threadIdx.x >> 5] = m;
    __syncthreads();
    Moments t = part[0];
    for (int w = 1; w < 4; ++w) { t.sum += part[w].sum; t.sq += part[w].sq; }
    return t;
}

__global__ void groupnorm_nchw_forward(const float *x, const float *weight, const float *bias, float *y,
                                       int C, int HW, int G, float eps)
{
    const int D = C / G;
    const size_t off = ((size_t)blockIdx.y * C + blockIdx.x * D) * HW;
    Moments m = {0.f, 0.f};
    for (int i = threadIdx.x; i < D * HW; i += blockDim.x) {
        float v = x[off + i];
        m.sum += v;
        m.sq += v * v;
    }
    m = block_moments(m);
    const float mean = m.sum / (D * HW);
    const float rstd = rsqrtf(m.sq / (D * HW) - mean * mean + eps);
    for (int i = threadIdx.x; i < D * HW; i += blockDim.x) {
        const int c = blockIdx.x * D + i / HW;
        y[off + i] = (x[off + i] - mean) * rstd * weight[c] + bias[c];
    }
}
