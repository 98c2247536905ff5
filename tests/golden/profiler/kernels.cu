#include <cstdio>
#include <cuda_runtime.h>

// One tile of 32 x 32 a block.
__global__ void transpose_naive(const float *in, float *out, int nx, int ny) {
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    out[x * ny + y] = in[y * nx + x];
}

__global__ void transpose_tiled(const float *in, float *out, int nx, int ny) {
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = in[(blockIdx.y * 32 + threadIdx.y) * nx + blockIdx.x * 32 + threadIdx.x];
    __syncthreads();
    out[(blockIdx.x * 32 + threadIdx.y) * ny + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

// A template whose name has commas, quotes and spaces.
template <typename T, int Padding>
__global__ void transpose_padded(const T *in, T *out, int nx, int ny) {
    __shared__ T tile[32][32 + Padding];
    tile[threadIdx.y][threadIdx.x] = in[(blockIdx.y * 32 + threadIdx.y) * nx + blockIdx.x * 32 + threadIdx.x];
    __syncthreads();
    out[(blockIdx.x * 32 + threadIdx.y) * ny + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void transpose_swizzled(const float *in, float *out, int nx, int ny) {
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x ^ threadIdx.y] =
        in[(blockIdx.y * 32 + threadIdx.y) * nx + blockIdx.x * 32 + threadIdx.x];
    __syncthreads();
    out[(blockIdx.x * 32 + threadIdx.y) * ny + blockIdx.y * 32 + threadIdx.x] =
        tile[threadIdx.x][threadIdx.y ^ threadIdx.x];
}

__global__ void reduce_interleaved(const float *in, float *out) {
    __shared__ float sums[256];
    unsigned t = threadIdx.x;
    sums[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (unsigned s = 1; s < 256; s *= 2) {
        unsigned at = 2 * s * t;
        if (at < 256) sums[at] += sums[at + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = sums[0];
}

// Which bins are hit depends on the data.
__global__ void histogram(const unsigned char *in, unsigned *out, int n) {
    __shared__ unsigned bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&bins[in[i]], 1u);
    __syncthreads();
    atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

__global__ void scale_strided(float *data, float factor, int stride) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * stride;
    data[i] *= factor;
}

__global__ void gather(const float *in, const int *index, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[index[i]];
}

int main() {
    const int n = 128 * 128;
    float *in, *out;
    unsigned char *bytes;
    unsigned *bins;
    int *index;
    cudaMalloc(&in, n * 4);
    cudaMalloc(&out, n * 4);
    cudaMalloc(&bytes, n);
    cudaMalloc(&bins, 1024);
    cudaMalloc(&index, n * 4);
    static unsigned char host_bytes[n];
    static int host_index[n];
    unsigned seed = 12345;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        host_bytes[i] = seed >> 24;
        host_index[i] = (seed >> 8) % n;
    }
    cudaMemset(in, 0, n * 4);
    cudaMemset(bins, 0, 1024);
    cudaMemcpy(bytes, host_bytes, n, cudaMemcpyHostToDevice);
    cudaMemcpy(index, host_index, n * 4, cudaMemcpyHostToDevice);
    dim3 grid(4, 4), block(32, 32);
    transpose_naive<<<grid, block>>>(in, out, 128, 128);
    transpose_tiled<<<grid, block>>>(in, out, 128, 128);
    transpose_padded<float, 1><<<grid, block>>>(in, out, 128, 128);
    transpose_swizzled<<<grid, block>>>(in, out, 128, 128);
    reduce_interleaved<<<64, 256>>>(in, out);
    histogram<<<4, 256>>>(bytes, bins, n);
    scale_strided<<<16, 128>>>(in, 2.0f, 4);
    gather<<<64, 256>>>(in, index, out);
    transpose_tiled<<<dim3(2, 2), block>>>(in, out, 64, 64);
    printf("done: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
