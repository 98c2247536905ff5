__device__ int lower_bound(const int *a, int n, int key)
{
    int lo = 0, hi = n;
    while (lo < hi) {
        int mid = (lo + hi) >> 1;
        if (a[mid] < key) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}

__global__ void binary_search_shared(int *ranks, int step)
{
    __shared__ int sorted[128];
    sorted[threadIdx.x] = step * threadIdx.x + blockIdx.x;
    __syncthreads();
    int key = (threadIdx.x * 37 + 11 * blockIdx.x) % (128 * step);
    ranks[blockIdx.x * 128 + threadIdx.x] = lower_bound(sorted, 128, key);
}
