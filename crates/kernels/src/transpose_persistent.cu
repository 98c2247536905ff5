#define QUADS_X 16
#define QUADS_Y 16
struct Block {
  float4 a, b, c, d;
};
__device__ Block load_block(const float4* in, unsigned quads, unsigned out_quads, unsigned column, unsigned row) {
  unsigned at = 4 * min(row, out_quads - 1) * quads + min(column, quads - 1);
  return {in[at], in[at + quads], in[at + 2 * quads], in[at + 3 * quads]};
}
__global__ void transpose_persistent(const float4* in, float4* out, unsigned columns, unsigned rows) {
  __shared__ float4 tile[4 * QUADS_X * QUADS_Y];
  unsigned quads = columns / 4;
  unsigned out_quads = rows / 4;
  unsigned x = threadIdx.x % QUADS_X;
  unsigned y = threadIdx.x / QUADS_X;
  unsigned across = (quads + QUADS_X - 1) / QUADS_X;
  unsigned down_tiles = (out_quads + QUADS_Y - 1) / QUADS_Y;
  unsigned corner_x = blockIdx.x / down_tiles * QUADS_X;
  unsigned corner_y = blockIdx.x % down_tiles * QUADS_Y;
  Block block = load_block(in, quads, out_quads, corner_x + x, corner_y + y);
  for (unsigned n = blockIdx.x; n < across * down_tiles; n += gridDim.x) {
    unsigned at = 4 * x * QUADS_Y + (y ^ (x % QUADS_Y));
    tile[at] = make_float4(block.a.x, block.b.x, block.c.x, block.d.x);
    tile[at + QUADS_Y] = make_float4(block.a.y, block.b.y, block.c.y, block.d.y);
    tile[at + 2 * QUADS_Y] = make_float4(block.a.z, block.b.z, block.c.z, block.d.z);
    tile[at + 3 * QUADS_Y] = make_float4(block.a.w, block.b.w, block.c.w, block.d.w);
    __syncthreads();
    unsigned next = n + gridDim.x;
    unsigned next_x = next / down_tiles * QUADS_X;
    unsigned next_y = next % down_tiles * QUADS_Y;
    if (next < across * down_tiles)
      block = load_block(in, quads, out_quads, next_x + x, next_y + y);
    unsigned quad = threadIdx.x % QUADS_Y;
    for (unsigned k = 0; k < 4; k++) {
      unsigned down = threadIdx.x / QUADS_Y + k * QUADS_X;
      unsigned out_row = 4 * corner_x + down;
      if (out_row < columns && corner_y + quad < out_quads)
        out[out_row * out_quads + corner_y + quad] = tile[down * QUADS_Y + (quad ^ (down / 4 % QUADS_Y))];
    }
    __syncthreads();
    corner_x = next_x;
    corner_y = next_y;
  }
}
