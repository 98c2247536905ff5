// parallel cyclic reduction of one tridiagonal system a block
__global__ void pcr_small_systems(float *d_a, float *d_b, float *d_c, float *d_d, float *d_x, int system_size, int iterations)
{
    int thid = threadIdx.x;
    int blid = blockIdx.x;
    int delta = 1;

    extern __shared__ char shared[];
    float *a = (float *)shared;
    float *b = (float *)&a[system_size];
    float *c = (float *)&b[system_size];
    float *d = (float *)&c[system_size];
    float *x = (float *)&d[system_size];

    a[thid] = d_a[thid + blid * system_size];
    b[thid] = d_b[thid + blid * system_size];
    c[thid] = d_c[thid + blid * system_size];
    d[thid] = d_d[thid + blid * system_size];
    __syncthreads();

    for (int j = 0; j < iterations; j++) {
        int i = thid;
        int iRight = i + delta;
        if (iRight >= system_size) iRight = system_size - 1;
        int iLeft = i - delta;
        if (iLeft < 0) iLeft = 0;

        float tmp1 = a[i] / b[iLeft];
        float tmp2 = c[i] / b[iRight];
        float bNew = b[i] - c[iLeft] * tmp1 - a[iRight] * tmp2;
        float dNew = d[i] - d[iLeft] * tmp1 - d[iRight] * tmp2;
        float aNew = -a[iLeft] * tmp1;
        float cNew = -c[iRight] * tmp2;
        __syncthreads();
        b[i] = bNew;
        d[i] = dNew;
        a[i] = aNew;
        c[i] = cNew;
        delta *= 2;
        __syncthreads();
    }

    if (thid < delta) {
        int addr1 = thid;
        int addr2 = thid + delta;
        float tmp3 = b[addr2] * b[addr1] - c[addr1] * a[addr2];
        x[addr1] = (b[addr2] * d[addr1] - c[addr1] * d[addr2]) / tmp3;
        x[addr2] = (d[addr2] * b[addr1] - d[addr1] * a[addr2]) / tmp3;
    }
    __syncthreads();
    d_x[thid + blid * system_size] = x[thid];
}
