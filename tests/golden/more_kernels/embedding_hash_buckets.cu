// hashing trick: the row depends on the position and the token
__global__ void embedding_hash_buckets(const int *tokens, const float *table, float *out, int n, int buckets, int dim)
{
    for (int pos = blockIdx.x * blockDim.y + threadIdx.y; pos < n; pos += gridDim.x * blockDim.y) {
        unsigned h = (unsigned)(tokens[pos] + 31 * pos) * 2654435761u;
        unsigned row = (h >> 16) % buckets;
        const float4 *src = (const float4 *)(table + row * dim);
        float4 *dst = (float4 *)(out + pos * dim);
        for (int d = threadIdx.x; d < dim / 4; d += blockDim.x) dst[d] = src[d];
    }
}
