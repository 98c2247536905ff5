#define LANES_X 8
#define WARPS_X 2
#define WARPS_Y 4
__global__ void transpose_registers(const float4* in, float4* out, unsigned columns, unsigned rows) {
  unsigned quads = columns / 4;
  unsigned out_quads = rows / 4;
  unsigned lanes_y = 32 / LANES_X;
  unsigned warp = threadIdx.x / 32;
  unsigned lane = threadIdx.x % 32;
  unsigned x = blockIdx.y * WARPS_X * LANES_X + warp % WARPS_X * LANES_X + lane % LANES_X;
  unsigned y = blockIdx.x * WARPS_Y * lanes_y + warp / WARPS_X * lanes_y + lane / LANES_X;
  if (x < quads && y < out_quads) {
    float4 a = in[4 * y * quads + x];
    float4 b = in[(4 * y + 1) * quads + x];
    float4 c = in[(4 * y + 2) * quads + x];
    float4 d = in[(4 * y + 3) * quads + x];
    out[4 * x * out_quads + y] = make_float4(a.x, b.x, c.x, d.x);
    out[(4 * x + 1) * out_quads + y] = make_float4(a.y, b.y, c.y, d.y);
    out[(4 * x + 2) * out_quads + y] = make_float4(a.z, b.z, c.z, d.z);
    out[(4 * x + 3) * out_quads + y] = make_float4(a.w, b.w, c.w, d.w);
  }
}
