#define LOG_W 5
// Every warp scans in its own 48 words, of which the first 16 are zeros.
__global__ void volatile_warp_scan_padded(const int *in, int *out)
{
    __shared__ volatile int s[4 * 48];
    int lane = threadIdx.x & 31;
    volatile int *p = s + (threadIdx.x >> 5) * 48 + 16 + lane;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (lane < 16) p[-16] = 0;
    int sum = in[i];
    *p = sum;
    __syncwarp();
#pragma unroll
    for (int k = 0; k < LOG_W; k++) {
        int left = p[-(1 << k)];
        __syncwarp();
        sum += left;
        *p = sum;
        __syncwarp();
    }
    out[i] = sum - in[i];
}
