__global__ void loops_cut_c1(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, row = i / 32;
  float a = 0;
  for (int j = lane; j < n; j += 32) a += x[row * n + j];
  y[i] = a;
}

__global__ void loops_cut_c2(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, row = i / 32;
  float a = 0;
  for (int j = lane; j < n; j += 32) a += x[row * n + j];
  y[i] = a;
}

__global__ void loops_cut_c3(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, row = i / 32;
  float a = 0;
  for (int j = threadIdx.x; j < n; j += 64) a += x[j];
  y[i] = a;
}

__global__ void loops_cut_c4(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, row = i / 32;
  float a = 0;
  for (int j = lane; j < n; j++) a += x[j];
  y[i] = a;
}

__global__ void loops_cut_c5(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, row = i / 32;
  float a = 0;
  for (int j = 0; j <= lane; j++) a += x[j];
  y[i] = a;
}

__global__ void loops_cut_c6(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, row = i / 32;
  float a = 0;
  for (int j = lane; j < n; j += 32) a += x[row * n + j] * x[4096 + j];
  y[i] = a;
}

__global__ void loops_cut_c7(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, row = i / 32;
  float a = 0;
  for (int j = lane; j < n; j += 32) y[row * n + j] = x[row * n + j];

}

__global__ void loops_cut_c8(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, row = i / 32;
  float a = 0;
  #pragma unroll 4
  for (int j = lane; j < n; j += 32) a += x[row * n + j];
  y[i] = a;
}

__global__ void loops_cut_c9(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, row = i / 32;
  float a = 0;
  for (int j = threadIdx.x; j < n; j += blockDim.x) a += x[j];
  y[i] = a;
}

__global__ void loops_cut_c10(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, row = i / 32;
  float a = 0;
  for (unsigned j = lane; j < n; j += 32) a += x[row * n + j];
  y[i] = a;
}

__global__ void loops_cut_c11(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, row = i / 32;
  float a = 0;
  int j = lane;
  while (j < n) { a += x[row * n + j]; j += 32; }
  y[i] = a;
}

__global__ void loops_cut_c12(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, row = i / 32;
  float a = 0;
  for (int j = lane; j < n; j += warpSize) a += x[row * n + j];
  y[i] = a;
}

__global__ void loops_cut_c13(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, row = i / 32;
  float a = 0;
  int e = lane % 5 + 3;
  for (int j = 0; j < e; j++) a += x[j * 64 + lane];
  y[i] = a;
}

__global__ void loops_cut_c14(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, row = i / 32;
  float a = 0;
  int b = row * 7, e = b + lane % 9 + 2;
  for (int j = b; j < e; j++) a += x[j];
  y[i] = a;
}

__global__ void loops_cut_c15(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, row = i / 32;
  float a = 0;
  for (int j = lane; j < n; j += 32) { float v = x[row * n + j]; a += v * v + sqrtf(v); }
  y[i] = a;
}

__global__ void loops_cut_c16(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, row = i / 32;
  float a = 0;
  for (int j = lane; j < n; j += 32) { float v = x[row * n + j]; if (v > 0.5f) a += v; }
  y[i] = a;
}

__global__ void loops_cut_c17(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, row = i / 32;
  float a = 0;
  float m = -1e30f;
  for (int j = lane; j < n; j += 32) m = fmaxf(m, x[row * n + j]);
  for (int o = 16; o > 0; o >>= 1) m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, o));
  for (int j = lane; j < n; j += 32) a += __expf(x[row * n + j] - m);
  y[i] = a;
}

__global__ void loops_cut_c18(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, row = i / 32;
  float a = 0;
  for (int j = lane * 4; j < n; j += 128) a += x[row * n + j];
  y[i] = a;
}

__global__ void loops_cut_c19(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, row = i / 32;
  float a = 0;
  for (int j = n - 1 - lane; j >= 0; j -= 32) a += x[row * n + j];
  y[i] = a;
}

__global__ void loops_cut_c20(const float* x, float* y, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  for (int j = t; j < n; j += 64) s[j] = x[j];
  __syncthreads();
  float a = 0;
  for (int j = t; j < n; j++) a += s[j];
  y[t] = a;
}

__global__ void loops_cut_c21(const float* x, float* y, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  for (int j = t; j < 200; j += 64) s[j] = x[j];
  __syncthreads();
  float a = 0;
  for (int j = 0; j < t; j++) a += s[j];
  y[t] = a;
}

__global__ void loops_cut_c22(const float* x, float* y, int n) {
  __shared__ float s[4][32];
  int t = threadIdx.x;
  int ty = threadIdx.y;
  float a = 0;
  for (int r = ty; r < n; r += 8) a += x[r * 32 + t];
  s[ty & 3][t] = a;
  __syncthreads();
  y[ty * 32 + t] = s[3 - (ty & 3)][t];
}
