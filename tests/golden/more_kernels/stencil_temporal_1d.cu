#define STEPS 4
// Every block advances 120 points by four time steps; the tile shrinks by one on each side a step.
__global__ void stencil_temporal_1d(const float *in, float *out, int n)
{
    __shared__ float buf[2][128];
    int tile = blockDim.x - 2 * STEPS;
    int g = (int)(blockIdx.x * tile + threadIdx.x) - STEPS;
    int c = g < 0 ? 0 : (g >= n ? n - 1 : g);
    int t = threadIdx.x;
    buf[0][t] = in[c];
    __syncthreads();
    for (int s = 0; s < STEPS; s++) {
        const float *now = buf[s & 1];
        float *then = buf[(s + 1) & 1];
        if (t > s && t < blockDim.x - 1 - s)
            then[t] = 0.25f * now[t - 1] + 0.5f * now[t] + 0.25f * now[t + 1];
        __syncthreads();
    }
    if (t >= STEPS && t < blockDim.x - STEPS && g < n) out[g] = buf[STEPS & 1][t];
}
