__global__ void lambda_tile_views(const float* in, float* out, int n) {
  __shared__ float storage[24 * 25];
  auto tile = [&](int r, int c) -> float& { return storage[r * 25 + c]; };
  auto source = [=](int r, int c) { return in[(blockIdx.y * 24 + r) * n + blockIdx.x * 24 + c]; };
  auto each_row = [](auto body) {
    for (int r = threadIdx.y; r < 24; r += blockDim.y) body(r, threadIdx.x);
  };
  each_row([&](int r, int c) { tile(r, c) = source(r, c); });
  __syncthreads();
  each_row([&](int r, int c) { out[(blockIdx.x * 24 + r) * n + blockIdx.y * 24 + c] = tile(c, r) * 0.5f; });
}
