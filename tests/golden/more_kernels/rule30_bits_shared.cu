// elementary automaton on a ring, 32 cells per word, double buffer in shared
__global__ void rule30_bits_shared(unsigned int *state, int steps)
{
    __shared__ unsigned int w[2][96];
    const int t = threadIdx.x;
    unsigned int *g = state + blockIdx.x * 96;
    w[0][t] = g[t] ^ (t == 48);
    for (int s = 0; s < steps; s++) {
        __syncthreads();
        const unsigned int *cur = w[s & 1];
        unsigned int left = cur[t == 0 ? 95 : t - 1], mid = cur[t], right = cur[t == 95 ? 0 : t + 1];
        unsigned int l = (mid << 1) | (left >> 31), r = (mid >> 1) | (right << 31);
        w[(s + 1) & 1][t] = l ^ (mid | r);
    }
    g[t] = w[steps & 1][t];
}
