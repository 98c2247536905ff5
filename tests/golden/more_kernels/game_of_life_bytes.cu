__global__ void game_of_life_bytes(const unsigned char* in, unsigned char* out, int w, int h) {
  __shared__ unsigned char t[18][20];
  int lx = threadIdx.x + 1, ly = threadIdx.y + 1;
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  int xm = (x + w - 1) % w, xp = (x + 1) % w, ym = (y + h - 1) % h, yp = (y + 1) % h;
  t[ly][lx] = in[y * w + x];
  if (threadIdx.x == 0) t[ly][0] = in[y * w + xm];
  if (threadIdx.x == 15) t[ly][17] = in[y * w + xp];
  if (threadIdx.y == 0) t[0][lx] = in[ym * w + x];
  if (threadIdx.y == 15) t[17][lx] = in[yp * w + x];
  if (threadIdx.x == 0 && threadIdx.y == 0) t[0][0] = in[ym * w + xm];
  if (threadIdx.x == 15 && threadIdx.y == 0) t[0][17] = in[ym * w + xp];
  if (threadIdx.x == 0 && threadIdx.y == 15) t[17][0] = in[yp * w + xm];
  if (threadIdx.x == 15 && threadIdx.y == 15) t[17][17] = in[yp * w + xp];
  __syncthreads();
  int n = t[ly - 1][lx - 1] + t[ly - 1][lx] + t[ly - 1][lx + 1] + t[ly][lx - 1] + t[ly][lx + 1] + t[ly + 1][lx - 1] + t[ly + 1][lx] + t[ly + 1][lx + 1];
  out[y * w + x] = (n == 3) || (n == 2 && t[ly][lx]);
}
