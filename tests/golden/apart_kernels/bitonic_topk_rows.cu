#define N_MAX 256
__device__ void cmp_swap(float &ka, int &ia, float &kb, int &ib, bool desc)
{
    bool sw = desc ? (ka < kb || (ka == kb && ia > ib)) : (ka > kb || (ka == kb && ia < ib));
    if (sw) {
        float kt = ka; ka = kb; kb = kt;
        int it = ia; ia = ib; ib = it;
    }
}

__global__ void bitonic_topk_rows(const float *scores, float *values, int *index, int n, int k)
{
    __shared__ float key[N_MAX];
    __shared__ int id[N_MAX];
    const int tid = threadIdx.x;
    for (int i = tid; i < N_MAX; i += blockDim.x) {
        key[i] = i < n ? scores[blockIdx.x * n + i] : -INFINITY;
        id[i] = i;
    }
    for (int size = 2; size <= N_MAX; size *= 2) {
        bool desc = (tid & (size / 2)) == 0;
        for (int stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            int pos = 2 * tid - (tid & (stride - 1));
            cmp_swap(key[pos], id[pos], key[pos + stride], id[pos + stride], desc);
        }
    }
    __syncthreads();
    if (tid < k) {
        values[blockIdx.x * k + tid] = key[tid];
        index[blockIdx.x * k + tid] = id[tid];
    }
}
