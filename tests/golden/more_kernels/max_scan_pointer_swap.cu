__global__ void max_scan_pointer_swap(const double *a, double *m)
{
    __shared__ double ping[160];
    __shared__ double pong[160];
    double *cur = ping;
    double *nxt = pong;
    const unsigned int t = threadIdx.x;

    cur[t] = a[blockIdx.x * blockDim.x + t];
    __syncthreads();

    for (unsigned int hop = 1; hop < blockDim.x; hop <<= 1) {
        if (t >= hop)
            nxt[t] = fmax(cur[t], cur[t - hop]);
        else
            nxt[t] = cur[t];
        double *tmp = cur;
        cur = nxt;
        nxt = tmp;
        __syncthreads();
    }
    m[blockIdx.x * blockDim.x + t] = cur[t];
}
