__global__ void oddeven_transposition_u64(unsigned long long *keys, int rounds)
{
    __shared__ unsigned long long s[192];
    unsigned long long *g = keys + blockIdx.x * 192;
    s[threadIdx.x] = g[threadIdx.x];
    s[threadIdx.x + 96] = g[threadIdx.x + 96];
    __syncthreads();
    for (int r = 0; r != rounds; ++r) {
        int i = 2 * threadIdx.x + (r & 1);
        if (i + 1 < 192) {
            unsigned long long a = s[i], b = s[i + 1];
            s[i] = a < b ? a : b;
            s[i + 1] = a < b ? b : a;
        }
        __syncthreads();
    }
    g[threadIdx.x] = s[threadIdx.x];
    g[threadIdx.x + 96] = s[threadIdx.x + 96];
}
