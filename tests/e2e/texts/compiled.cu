// Compiled by `nvcc -O3 -arch=sm_90`: compiled.ptx (-ptx) and compiled.sass (-cubin, then cuobjdump -sass).
__global__ void turn(float* out, const float* in, int n) {
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}
