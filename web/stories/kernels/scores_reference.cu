// A warp fetches a tile of keys, 32 rows of 32 floats, and each lane multiplies its row by the query.
__global__ void scores(const float4* keys, const float4* query, float* out) {
  __shared__ float4 tile[32][8];
  int lane = threadIdx.x;
  for (int pass = 0; pass < 8; ++pass) {
    int row = pass * 4 + lane / 8, chunk = lane % 8;
    tile[row][chunk ^ row % 8] = keys[row * 8 + chunk];  //@put
  }
  __syncwarp();
  float sum = 0;
  for (int chunk = 0; chunk < 8; ++chunk) {
    float4 k = tile[lane][chunk ^ lane % 8];  //@get
    float4 q = query[chunk];
    sum += k.x * q.x + k.y * q.y + k.z * q.z + k.w * q.w;
  }
  out[lane] = sum;
}
