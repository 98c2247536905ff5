__constant__ float C8[64];

__global__ void dct8x8_two_pass(const float *src, float *dst, size_t stride)
{
    __shared__ float block1[64];
    __shared__ float block2[64];
    const int bx = blockIdx.x, by = blockIdx.y;
    const int tx = threadIdx.x, ty = threadIdx.y;

    block1[(ty << 3) + tx] = src[((by << 3) + ty) * stride + (bx << 3) + tx];
    __syncthreads();

    // C^T * block
    float cur = 0;
    int cIdx = ty;
    int bIdx = tx;
#pragma unroll
    for (int i = 0; i < 8; i++) {
        cur += C8[cIdx] * block1[bIdx];
        cIdx += 8;
        bIdx += 8;
    }
    block2[(ty << 3) + tx] = cur;
    __syncthreads();

    // (C^T * block) * C
    cur = 0;
    bIdx = ty << 3;
    cIdx = tx;
#pragma unroll
    for (int i = 0; i < 8; i++) {
        cur += block2[bIdx] * C8[cIdx];
        bIdx += 1;
        cIdx += 8;
    }
    dst[((by << 3) + ty) * stride + (bx << 3) + tx] = cur;
}
