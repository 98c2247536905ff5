// double, float, short and byte arrays carved from one dynamic allocation, read in reverse and in strides
__global__ void dynamic_four_types_carve(const double *xd, const float *xf, const short *xs, const unsigned char *xb, float *out)
{
    extern __shared__ __align__(16) unsigned char smem[];
    const int n = blockDim.x, t = threadIdx.x;
    double *sd = reinterpret_cast<double *>(smem);
    float *sf = reinterpret_cast<float *>(sd + n);
    short *ss = reinterpret_cast<short *>(sf + n);
    unsigned char *sb = reinterpret_cast<unsigned char *>(ss + n);
    const int g = blockIdx.x * n + t;
    sd[t] = xd[g];
    sf[t] = xf[g];
    ss[t] = xs[g];
    sb[t] = xb[g];
    __syncthreads();
    float acc = (float)sd[n - 1 - t];
    acc += sf[(t * 7) % n];
    acc += ss[(t * 3 + 1) % n];
    acc += sb[(t + n / 2) % n];
    out[g] = acc;
}
