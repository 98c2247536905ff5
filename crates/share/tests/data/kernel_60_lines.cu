#define TILE 32
#define ROWS 8

// Transposes a rows x columns matrix through a padded tile, several rows a thread.
__global__ void transpose_padded(const float* __restrict__ in, float* __restrict__ out,
                                 int rows, int columns)
{
    __shared__ float tile[TILE][TILE + 1];

    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;

    for (int j = 0; j < TILE; j += ROWS) {
        if (x < columns && y + j < rows) {
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * columns + x];
        }
    }
    __syncthreads();

    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;

    for (int j = 0; j < TILE; j += ROWS) {
        if (x < rows && y + j < columns) {
            out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
        }
    }
}

// Sums each block's part of the input; the first thread writes the sum.
__global__ void reduce_sequential(const float* in, float* out, int n)
{
    __shared__ float partial[256];

    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x * 2 + threadIdx.x;

    float sum = 0.0f;
    if (i < n) {
        sum += in[i];
    }
    if (i + blockDim.x < n) {
        sum += in[i + blockDim.x];
    }
    partial[tid] = sum;
    __syncthreads();

    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            partial[tid] += partial[tid + s];
        }
        __syncthreads();
    }

    if (tid == 0) {
        out[blockIdx.x] = partial[0];
    }
}
// Launched with 256 threads a block;
// n may be any length.
