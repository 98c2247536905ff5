__device__ __forceinline__ unsigned int addmod(unsigned int a, unsigned int b, unsigned int q)
{
    unsigned int c = a + b;
    return c >= q ? c - q : c;
}
__device__ __forceinline__ unsigned int mulmod(unsigned int a, unsigned int b, unsigned int q)
{
    return (unsigned int)(((unsigned long long)a * b) % q);
}

// Cooley-Tukey NTT with roots in bit-reversed order (as in Kyber/SEAL)
__global__ void ntt_forward_shared(unsigned int *poly, const unsigned int *roots, int n, unsigned int q)
{
    __shared__ unsigned int a[256];
    poly += blockIdx.x * n;
    a[threadIdx.x] = poly[threadIdx.x];
    a[threadIdx.x + n / 2] = poly[threadIdx.x + n / 2];
    int t = n;
    for (int m = 1; m < n; m <<= 1) {
        __syncthreads();
        t >>= 1;
        int i = threadIdx.x / t;
        int j = 2 * i * t + threadIdx.x % t;
        unsigned int S = roots[m + i];
        unsigned int U = a[j];
        unsigned int V = mulmod(a[j + t], S, q);
        a[j] = addmod(U, V, q);
        a[j + t] = addmod(U, q - V, q);
    }
    __syncthreads();
    poly[threadIdx.x] = a[threadIdx.x];
    poly[threadIdx.x + n / 2] = a[threadIdx.x + n / 2];
}
