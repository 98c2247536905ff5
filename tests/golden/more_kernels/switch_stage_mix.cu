enum Op { ROTATE, MIRROR, GATHER, KEEP };

__global__ void switch_stage_mix(const int *in, int *out, int stages)
{
    __shared__ int s[128];
    const unsigned t = threadIdx.x;
    s[t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    for (int stage = 0; stage < stages; stage++) {
        int v;
        switch ((Op)(stage % 4)) {
        case ROTATE:
            v = s[(t + 1) & 127];
            break;
        case MIRROR:
            v = s[127 - t];
            break;
        case GATHER:
            v = s[(t * 8) % 128 + t / 16];
            break;
        default:
            v = s[t] + stage;
        }
        __syncthreads();
        s[t] = v;
        __syncthreads();
    }
    out[blockIdx.x * 128 + t] = s[t];
}
