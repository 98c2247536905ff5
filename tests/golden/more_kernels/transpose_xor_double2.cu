// 16 x 16 tiles of double2, columns exchanged by XOR with the row instead of padding
__global__ void transpose_xor_double2(const double2 *in, double2 *out, int n)
{
    __shared__ double2 tile[16][16];
    const int half = n / 2;              // the matrix is n rows by n / 2 columns
    for (int r = threadIdx.y; r < 16; r += blockDim.y) {
        int row = blockIdx.y * 16 + r;
        int col = blockIdx.x * 16 + threadIdx.x;
        tile[r][threadIdx.x ^ r] = in[row * half + col];
    }
    __syncthreads();
    for (int r = threadIdx.y; r < 16; r += blockDim.y) {
        int row = blockIdx.x * 16 + r;
        int col = blockIdx.y * 16 + threadIdx.x;
        out[row * n + col] = tile[threadIdx.x][r ^ threadIdx.x];
    }
}
