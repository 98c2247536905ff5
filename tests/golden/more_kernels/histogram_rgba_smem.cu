#define NUM_BINS 256
#define NUM_PARTS 4
// NVIDIA blog style: partial histograms per block, three channels
__global__ void histogram_rgba_smem(const uchar4 *in, int width, int height, unsigned int *out)
{
  // pixel coordinates
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  // grid dimensions
  int nx = blockDim.x * gridDim.x;
  int ny = blockDim.y * gridDim.y;
  // linear thread index within 2D block
  int t = threadIdx.x + threadIdx.y * blockDim.x;
  // total threads in 2D block
  int nt = blockDim.x * blockDim.y;
  // linear block index within 2D grid
  int g = blockIdx.x + blockIdx.y * gridDim.x;

  __shared__ unsigned int smem[3 * NUM_BINS + 3];
  for (int i = t; i < 3 * NUM_BINS + 3; i += nt) smem[i] = 0;
  __syncthreads();

  for (int col = x; col < width; col += nx)
    for (int row = y; row < height; row += ny) {
      uchar4 p = in[row * width + col];
      unsigned int r = (p.x + col * 3) & 255;
      unsigned int gg = (p.y + row * 16 + col) & 255;
      unsigned int b = (p.z ^ (col >> 1)) & 255;
      atomicAdd(&smem[NUM_BINS * 0 + r + 0], 1);
      atomicAdd(&smem[NUM_BINS * 1 + gg + 1], 1);
      atomicAdd(&smem[NUM_BINS * 2 + b + 2], 1);
    }
  __syncthreads();

  out += g * NUM_BINS * 3;
  for (int i = t; i < NUM_BINS; i += nt) {
    out[i + NUM_BINS * 0] = smem[i + NUM_BINS * 0];
    out[i + NUM_BINS * 1] = smem[i + NUM_BINS * 1 + 1];
    out[i + NUM_BINS * 2] = smem[i + NUM_BINS * 2 + 2];
  }
}
