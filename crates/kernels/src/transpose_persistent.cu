#define QUADS_X 16
#define QUADS_Y 16
__global__ void transpose_persistent(const float4* in, float4* out, unsigned columns, unsigned rows) {
  __shared__ float4 tile[4 * QUADS_X * QUADS_Y];
  unsigned quads = columns / 4;
  unsigned out_quads = rows / 4;
  unsigned x = threadIdx.x % QUADS_X;
  unsigned y = threadIdx.x / QUADS_X;
  unsigned across = (quads + QUADS_X - 1) / QUADS_X;
  unsigned down_tiles = (out_quads + QUADS_Y - 1) / QUADS_Y;
  for (unsigned n = blockIdx.x; n < across * down_tiles; n += gridDim.x) {
    unsigned corner_x = n / down_tiles * QUADS_X;
    unsigned corner_y = n % down_tiles * QUADS_Y;
    unsigned column = min(corner_x + x, quads - 1);
    unsigned row = 4 * min(corner_y + y, out_quads - 1);
    float4 a = in[row * quads + column];
    float4 b = in[(row + 1) * quads + column];
    float4 c = in[(row + 2) * quads + column];
    float4 d = in[(row + 3) * quads + column];
    unsigned at = 4 * x * QUADS_Y + (y ^ (x % QUADS_Y));
    tile[at] = make_float4(a.x, b.x, c.x, d.x);
    tile[at + QUADS_Y] = make_float4(a.y, b.y, c.y, d.y);
    tile[at + 2 * QUADS_Y] = make_float4(a.z, b.z, c.z, d.z);
    tile[at + 3 * QUADS_Y] = make_float4(a.w, b.w, c.w, d.w);
    __syncthreads();
    unsigned quad = threadIdx.x % QUADS_Y;
    for (unsigned k = 0; k < 4; k++) {
      unsigned down = threadIdx.x / QUADS_Y + k * QUADS_X;
      unsigned out_row = 4 * corner_x + down;
      if (out_row < columns && corner_y + quad < out_quads)
        out[out_row * out_quads + corner_y + quad] = tile[down * QUADS_Y + (quad ^ (down / 4 % QUADS_Y))];
    }
    __syncthreads();
  }
}
