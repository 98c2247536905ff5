// Copies and transposes of a matrix of nx columns and ny rows, as a whole program.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define BDIMX 32
#define BDIMY 32
#define IPAD 1
#define INDEX(row, column, stride) ((row) * (stride) + (column))

#define CHECK(call)                                                              \
    {                                                                            \
        const cudaError_t error = call;                                          \
        if (error != cudaSuccess) {                                              \
            printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(1);                                                             \
        }                                                                        \
    }

__global__ void copyRow(float *out, const float *in, const int nx, const int ny) {
    unsigned int ix = blockDim.x * blockIdx.x + threadIdx.x;
    unsigned int iy = blockDim.y * blockIdx.y + threadIdx.y;
    if (ix < nx && iy < ny) out[iy * nx + ix] = in[iy * nx + ix];
}

__global__ void copyCol(float *out, const float *in, const int nx, const int ny) {
    unsigned int ix = blockDim.x * blockIdx.x + threadIdx.x;
    unsigned int iy = blockDim.y * blockIdx.y + threadIdx.y;
    if (ix < nx && iy < ny) out[ix * ny + iy] = in[ix * ny + iy];
}

__global__ void naiveRow(float *out, const float *in, const int nx, const int ny) {
    unsigned int ix = blockDim.x * blockIdx.x + threadIdx.x;
    unsigned int iy = blockDim.y * blockIdx.y + threadIdx.y;
    if (ix < nx && iy < ny) out[INDEX(ix, iy, ny)] = in[INDEX(iy, ix, nx)];
}

__global__ void naiveCol(float *out, const float *in, const int nx, const int ny) {
    unsigned int ix = blockDim.x * blockIdx.x + threadIdx.x;
    unsigned int iy = blockDim.y * blockIdx.y + threadIdx.y;
    if (ix < ny && iy < nx) out[INDEX(iy, ix, ny)] = in[INDEX(ix, iy, nx)];
}

__global__ void unrolledRow(float *out, const float *in, const int nx, const int ny) {
    unsigned int ix = blockDim.x * blockIdx.x * 4 + threadIdx.x;
    unsigned int iy = blockDim.y * blockIdx.y + threadIdx.y;
    if (iy >= ny) return;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        unsigned int column = ix + k * blockDim.x;
        if (column < nx) out[INDEX(column, iy, ny)] = in[INDEX(iy, column, nx)];
    }
}

__global__ void diagonalRow(float *out, const float *in, const int nx, const int ny) {
    unsigned int block_y = blockIdx.x;
    unsigned int block_x = (blockIdx.x + blockIdx.y) % gridDim.x;
    unsigned int ix = blockDim.x * block_x + threadIdx.x;
    unsigned int iy = blockDim.y * block_y + threadIdx.y;
    if (ix < nx && iy < ny) out[INDEX(ix, iy, ny)] = in[INDEX(iy, ix, nx)];
}

__global__ void tiled(float *out, const float *in, const int nx, const int ny) {
    __shared__ float tile[BDIMY][BDIMX];
    size_t ix = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    size_t iy = (size_t)blockDim.y * blockIdx.y + threadIdx.y;
    if (ix < nx && iy < ny) tile[threadIdx.y][threadIdx.x] = in[iy * nx + ix];
    __syncthreads();
    size_t ox = (size_t)blockDim.y * blockIdx.y + threadIdx.x;
    size_t oy = (size_t)blockDim.x * blockIdx.x + threadIdx.y;
    if (ox < ny && oy < nx) out[oy * ny + ox] = tile[threadIdx.x][threadIdx.y];
}

__global__ void padded(float *out, const float *in, const int nx, const int ny) {
    __shared__ float tile[BDIMY][BDIMX + IPAD];
    int ix = blockDim.x * blockIdx.x + threadIdx.x;
    int iy = blockDim.y * blockIdx.y + threadIdx.y;
    if (ix < nx && iy < ny) tile[threadIdx.y][threadIdx.x] = in[iy * nx + ix];
    __syncthreads();
    ix = blockDim.y * blockIdx.y + threadIdx.x;
    iy = blockDim.x * blockIdx.x + threadIdx.y;
    if (ix >= ny || iy >= nx) return;
    out[iy * ny + ix] = tile[threadIdx.x][threadIdx.y];
}

int main(int argc, char **argv) {
    int nx = 1 << 8;
    int ny = 1 << 7;
    size_t bytes = nx * ny * sizeof(float);
    float *in, *out;
    CHECK(cudaMalloc((void **)&in, bytes));
    CHECK(cudaMalloc((void **)&out, bytes));
    dim3 block(BDIMX, BDIMY);
    dim3 grid((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y);
    copyRow<<<grid, block>>>(out, in, nx, ny);
    copyCol<<<grid, block>>>(out, in, nx, ny);
    naiveRow<<<grid, block>>>(out, in, nx, ny);
    naiveCol<<<grid, block>>>(out, in, nx, ny);
    unrolledRow<<<grid, block>>>(out, in, nx, ny);
    diagonalRow<<<grid, block>>>(out, in, nx, ny);
    tiled<<<grid, block>>>(out, in, nx, ny);
    padded<<<grid, block>>>(out, in, nx, ny);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
