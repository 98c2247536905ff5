// double sums[64], int order[64], short keys[64], unsigned char tags[64] in one allocation
__global__ void char_smem_carved(const double *in, const short *key, const unsigned char *tag, double *out)
{
    extern __shared__ char smem[];
    double *sums = (double *)smem;
    int *order = (int *)(smem + 64 * sizeof(double));
    short *keys = (short *)(order + 64);
    unsigned char *tags = (unsigned char *)(keys + 64);

    const int t = threadIdx.x, g = blockIdx.x * 64 + t;
    sums[t] = in[g];
    order[(t * 5) % 64] = t;
    keys[t] = key[g];
    tags[63 - t] = tag[g];
    __syncthreads();
    int o = t ^ 21;
    out[g] = sums[o] + sums[(t + 32) % 64] * keys[o] + order[t] + tags[o];
}
