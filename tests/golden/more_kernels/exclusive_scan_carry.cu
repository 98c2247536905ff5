// One block scans one row of n integers, 256 at a time, carrying the running total.
__global__ void exclusive_scan_carry(const int *in, int *out, int n)
{
    __shared__ int buf[2][256];
    __shared__ int carry;
    const int tid = threadIdx.x;
    in += blockIdx.x * n;
    out += blockIdx.x * n;
    if (tid == 0) carry = 0;
    __syncthreads();
    for (int base = 0; base < n; base += blockDim.x) {
        int v = (base + tid < n) ? in[base + tid] : 0;
        int src = 0;
        buf[0][tid] = v;
        __syncthreads();
        for (int d = 1; d < 256; d <<= 1) {
            int x = buf[src][tid];
            if (tid >= d) x += buf[src][tid - d];
            buf[src ^ 1][tid] = x;
            src ^= 1;
            __syncthreads();
        }
        if (base + tid < n) out[base + tid] = carry + buf[src][tid] - v;
        __syncthreads();
        if (tid == 255) carry += buf[src][255];
        __syncthreads();
    }
}
