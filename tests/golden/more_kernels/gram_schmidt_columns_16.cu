#define NC 16
// modified Gram-Schmidt of a 16 x 16 matrix per block, column dot products by a row-wise tree
__global__ void gram_schmidt_columns_16(const float *A, float *Q, float *Rm)
{
    __shared__ float a[NC][NC + 1];
    __shared__ float prod[NC][NC];
    const int r = threadIdx.y, c = threadIdx.x;
    const int g = blockIdx.x * NC * NC + r * NC + c;
    a[r][c] = A[g] + (r == c ? 1.0f : 0.0f);
    float rij = 0.f;
    __syncthreads();
    for (int k = 0; k < NC; ++k) {
        // prod[r][c] = a[r][k] * a[r][c] for columns right of or at k
        prod[r][c] = a[r][k] * a[r][c];
        __syncthreads();
        for (int s = NC / 2; s > 0; s >>= 1) {
            if (r < s) prod[r][c] += prod[r + s][c];
            __syncthreads();
        }
        float nrm = prod[0][k];
        float inv = rsqrtf(nrm);
        if (r == k) rij = c < k ? 0.f : prod[0][c] * inv;
        float qk = a[r][k];
        __syncthreads();
        if (c > k) a[r][c] -= qk * prod[0][c] / nrm;
        else if (c == k) a[r][c] = qk * inv;
        __syncthreads();
    }
    Q[g] = a[r][c];
    Rm[g] = rij;
}
