__device__ __forceinline__ unsigned char b64(unsigned int v)
{
    if (v < 26) return 'A' + v;
    if (v < 52) return 'a' + (v - 26);
    if (v < 62) return '0' + (v - 52);
    return v == 62 ? '+' : '/';
}

__global__ void base64_encode_triples(const unsigned char *in, uchar4 *out, int n)
{
    __shared__ unsigned char s[192];
    int base = blockIdx.x * 192;
    for (int i = threadIdx.x; i < 192 && base + i < n; i += 64) s[i] = in[base + i];
    __syncthreads();
    const unsigned char *p = &s[3 * threadIdx.x];
    unsigned int bits = p[0] << 16 | p[1] << 8 | p[2];
    uchar4 q;
    q.x = b64(bits >> 18);
    q.y = b64(bits >> 12 & 63);
    q.z = b64(bits >> 6 & 63);
    q.w = b64(bits & 63);
    out[blockIdx.x * 64 + threadIdx.x] = q;
}
