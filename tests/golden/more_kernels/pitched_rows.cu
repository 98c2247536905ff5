__global__ void pitched_rows(const float* in, float* out, int width, int height, int pitch) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    const float* row = in + y * pitch;
    float left = x > 0 ? row[x - 1] : row[x];
    float right = x < width - 1 ? row[x + 1] : row[x];
    out[y * pitch + x] = 0.5f * (left + right);
  }
}
