// blockIdx.x: token, threadIdx.y: head, threadIdx.x: pair (x[i], x[i + head_dim / 2])
__global__ void rope_rotate_heads(float *q, float *k, int pos0, int head_dim)
{
    __shared__ float cs[16][2];
    const int half = head_dim / 2;
    if (threadIdx.y == 0) {
        float freq = exp2f(-13.28771238f * threadIdx.x / half);   // 10000^(-i / half)
        float angle = (pos0 + blockIdx.x) * freq;
        cs[threadIdx.x][0] = __cosf(angle);
        cs[threadIdx.x][1] = __sinf(angle);
    }
    __syncthreads();
    float c = cs[threadIdx.x][0], s = cs[threadIdx.x][1];
    int at = (blockIdx.x * blockDim.y + threadIdx.y) * head_dim + threadIdx.x;
    float a = q[at], b = q[at + half];
    q[at] = a * c - b * s;
    q[at + half] = b * c + a * s;
    a = k[at];
    b = k[at + half];
    k[at] = a * c - b * s;
    k[at + half] = b * c + a * s;
}
