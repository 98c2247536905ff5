__global__ void string_match_shared_window(const char *text, const char *pattern, int *match, int n, int m)
{
    __shared__ char win[128 + 16];
    __shared__ char pat[16];
    int base = blockIdx.x * blockDim.x;
    for (int i = threadIdx.x; i < blockDim.x + m - 1; i += blockDim.x)
        win[i] = base + i < n ? text[base + i] : '$';
    if (threadIdx.x < m) pat[threadIdx.x] = pattern[threadIdx.x];
    __syncthreads();
    int pos = base + threadIdx.x;
    if (pos >= n) return;
    int k = 0;
    while (k < m && win[threadIdx.x + k] == pat[k]) ++k;
    match[pos] = k == m;
}
