struct MD {
    float m;
    float d;
};

__device__ MD md_merge(MD a, MD b) {
    bool a_bigger = a.m > b.m;
    MD bigger = a_bigger ? a : b;
    MD smaller = a_bigger ? b : a;
    MD r;
    r.m = bigger.m;
    r.d = bigger.d + smaller.d * __expf(smaller.m - bigger.m);
    return r;
}

__global__ void softmax_online_block(const float *__restrict__ logits, float *__restrict__ probs, int V) {
    __shared__ MD partial[4];
    __shared__ MD total;
    logits += (long long)blockIdx.x * V;
    probs += (long long)blockIdx.x * V;

    MD md = {-1e30f, 0.0f};
    for (int v = threadIdx.x; v < V; v += blockDim.x) {
        MD one = {logits[v], 1.0f};
        md = md_merge(md, one);
    }
    for (int delta = 16; delta; delta >>= 1) {
        MD other;
        other.m = __shfl_down_sync(0xffffffff, md.m, delta);
        other.d = __shfl_down_sync(0xffffffff, md.d, delta);
        md = md_merge(md, other);
    }
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = md;
    __syncthreads();
    if (threadIdx.x == 0) {
        MD all = partial[0];
        for (int w = 1; w < 4; w++) all = md_merge(all, partial[w]);
        total = all;
    }
    __syncthreads();
    float inv = 1.0f / total.d;
    for (int v = threadIdx.x; v < V; v += blockDim.x) probs[v] = __expf(logits[v] - total.m) * inv;
}
