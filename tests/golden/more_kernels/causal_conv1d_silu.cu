#define WIDTH 4
// depthwise causal convolution followed by SiLU, one channel per blockIdx.y
__global__ void causal_conv1d_silu(const float *x, const float *weight, const float *bias, float *out, int seqlen)
{
    __shared__ float smem[64 + WIDTH - 1];
    const int channel = blockIdx.y;
    const int l = blockIdx.x * blockDim.x + threadIdx.x;
    const float *xc = x + channel * seqlen;
    if (threadIdx.x < WIDTH - 1) {
        int p = (int)(blockIdx.x * blockDim.x + threadIdx.x) - (WIDTH - 1);
        smem[threadIdx.x] = p >= 0 ? xc[p] : 0.f;
    }
    smem[threadIdx.x + WIDTH - 1] = l < seqlen ? xc[l] : 0.f;
    __syncthreads();
    float w[WIDTH];
#pragma unroll
    for (int i = 0; i < WIDTH; ++i) w[i] = weight[channel * WIDTH + i];
    float v = bias[channel];
#pragma unroll
    for (int i = 0; i < WIDTH; ++i) v += w[i] * smem[threadIdx.x + i];
    v = v / (1.0f + expf(-v));
    if (l < seqlen) out[channel * seqlen + l] = v;
}
