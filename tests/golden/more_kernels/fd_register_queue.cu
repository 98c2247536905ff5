#define RADIUS 2
__constant__ float stencil[RADIUS + 1];

// After the FDTD3d sample: x and y in shared memory, z in registers.
__global__ void fd_register_queue(const float *input, float *output, int dimx, int dimy, int dimz)
{
    __shared__ float tile[8 + 2 * RADIUS][32 + 2 * RADIUS];
    const int gtidx = blockIdx.x * blockDim.x + threadIdx.x;
    const int gtidy = blockIdx.y * blockDim.y + threadIdx.y;
    const int ltidx = threadIdx.x;
    const int ltidy = threadIdx.y;
    const int stride_y = dimx;
    const int stride_z = dimx * dimy;
    int inputIndex = gtidy * stride_y + gtidx;
    int outputIndex = 0;
    float infront[RADIUS];
    float behind[RADIUS];
    float current;

    for (int i = RADIUS - 2; i >= 0; i--) {
        behind[i] = input[inputIndex];
        inputIndex += stride_z;
    }
    current = input[inputIndex];
    outputIndex = inputIndex;
    inputIndex += stride_z;
    for (int i = 0; i < RADIUS; i++) {
        infront[i] = input[inputIndex];
        inputIndex += stride_z;
    }

    const int tx = ltidx + RADIUS;
    const int ty = ltidy + RADIUS;
    for (int iz = 0; iz < dimz - 2 * RADIUS; iz++) {
        for (int i = RADIUS - 1; i > 0; i--) behind[i] = behind[i - 1];
        behind[0] = current;
        current = infront[0];
#pragma unroll
        for (int i = 0; i < RADIUS - 1; i++) infront[i] = infront[i + 1];
        infront[RADIUS - 1] = input[inputIndex];
        inputIndex += stride_z;
        outputIndex += stride_z;
        __syncthreads();

        if (ltidy < RADIUS) {
            tile[ltidy][tx] = gtidy >= RADIUS ? input[outputIndex - RADIUS * stride_y] : 0.f;
            tile[ltidy + 8 + RADIUS][tx] = gtidy + 8 < dimy ? input[outputIndex + 8 * stride_y] : 0.f;
        }
        if (ltidx < RADIUS) {
            tile[ty][ltidx] = gtidx >= RADIUS ? input[outputIndex - RADIUS] : 0.f;
            tile[ty][ltidx + 32 + RADIUS] = gtidx + 32 < dimx ? input[outputIndex + 32] : 0.f;
        }
        tile[ty][tx] = current;
        __syncthreads();

        float value = stencil[0] * current;
#pragma unroll
        for (int i = 1; i <= RADIUS; i++)
            value += stencil[i] * (infront[i - 1] + behind[i - 1] + tile[ty - i][tx] + tile[ty + i][tx] + tile[ty][tx - i] + tile[ty][tx + i]);
        output[outputIndex] = value;
    }
}
