__global__ void segmented_scan_heads(const float *vals, const int *heads, float *out)
{
    __shared__ float v[256];
    __shared__ int f[256];
    int tid = threadIdx.x;
    int gid = blockIdx.x * 256 + tid;

    v[tid] = vals[gid];
    f[tid] = heads[gid];
    __syncthreads();

    for (int off = 1; off < 256; off *= 2) {
        float nv = v[tid];
        int nf = f[tid];
        if (tid >= off) {
            if (!nf) nv += v[tid - off];
            nf |= f[tid - off];
        }
        __syncthreads();
        v[tid] = nv;
        f[tid] = nf;
        __syncthreads();
    }
    out[gid] = v[tid];
}
