// after Zhang, Cohen, Owens: five arrays in shared memory, half as many threads as equations
__global__ void cyclic_reduction_cr(float *d_a, float *d_b, float *d_c, float *d_d, float *d_x)
{
    extern __shared__ char array[];
    const unsigned int systemSize = blockDim.x * 2;
    float *a = (float *)array;
    float *b = &a[systemSize];
    float *c = &b[systemSize];
    float *d = &c[systemSize];
    float *x = &d[systemSize];

    int thid = threadIdx.x, blid = blockIdx.x;
    int stride = 1;
    int numThreads = blockDim.x;
    int iteration = 31 - __clz((int)systemSize / 2);

    a[thid] = d_a[thid + blid * systemSize];
    a[thid + blockDim.x] = d_a[thid + blockDim.x + blid * systemSize];
    b[thid] = d_b[thid + blid * systemSize] + 4.0f;
    b[thid + blockDim.x] = d_b[thid + blockDim.x + blid * systemSize] + 4.0f;
    c[thid] = d_c[thid + blid * systemSize];
    c[thid + blockDim.x] = d_c[thid + blockDim.x + blid * systemSize];
    d[thid] = d_d[thid + blid * systemSize];
    d[thid + blockDim.x] = d_d[thid + blockDim.x + blid * systemSize];
    __syncthreads();

    // forward elimination
    for (int j = 0; j < iteration; j++) {
        __syncthreads();
        stride *= 2;
        int delta = stride / 2;
        if (threadIdx.x < numThreads) {
            int i = stride * threadIdx.x + stride - 1;
            int iLeft = i - delta;
            int iRight = (i + delta) & (systemSize - 1);
            float tmp1 = a[i] / b[iLeft];
            float tmp2 = c[i] / b[iRight];
            b[i] = b[i] - c[iLeft] * tmp1 - a[iRight] * tmp2;
            d[i] = d[i] - d[iLeft] * tmp1 - d[iRight] * tmp2;
            a[i] = -a[iLeft] * tmp1;
            c[i] = -c[iRight] * tmp2;
        }
        numThreads /= 2;
    }
    __syncthreads();
    if (thid < 2) {
        int addr1 = stride - 1, addr2 = 2 * stride - 1;
        float tmp3 = b[addr2] * b[addr1] - c[addr1] * a[addr2];
        if (thid == 0) x[addr1] = (b[addr2] * d[addr1] - c[addr1] * d[addr2]) / tmp3;
        else x[addr2] = (d[addr2] * b[addr1] - d[addr1] * a[addr2]) / tmp3;
    }
    // backward substitution
    numThreads = 2;
    for (int j = 0; j < iteration; j++) {
        int delta = stride / 2;
        __syncthreads();
        if (thid < numThreads) {
            int i = stride * thid + stride / 2 - 1;
            if (i == delta - 1)
                x[i] = (d[i] - c[i] * x[i + delta]) / b[i];
            else
                x[i] = (d[i] - a[i] * x[i - delta] - c[i] * x[i + delta]) / b[i];
        }
        stride /= 2;
        numThreads *= 2;
    }
    __syncthreads();
    d_x[thid + blid * systemSize] = x[thid];
    d_x[thid + blockDim.x + blid * systemSize] = x[thid + blockDim.x];
}
