__global__ void values_held_e1(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  s[t] = x[i];
  for (int d = 1; d < blockDim.x; d *= 2) {
    __syncthreads();
    float v;
    if (t >= d) v = s[t] + s[t - d];
    __syncthreads();
    if (t >= d) s[t] = v;
  }
  y[i] = s[t];
}

__global__ void values_held_e2(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  s[t] = x[i];
  for (int d = 1; d < blockDim.x; d *= 2) {
    __syncthreads();
    float v;
    if (t >= d) v = s[t] + s[t - d];
    __syncthreads();
    if (t >= d) s[t] = v;
  }
  if (i < n) y[i] = s[t];
}

__global__ void values_held_e3(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  if (t < 16) s[t] = x[i];
  y[i] = s[t];
}

__global__ void values_held_e4(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  if (t < 16) s[t] = x[i];
  if (i < n) y[i] = s[t];
}

__global__ void values_held_e5(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  s[t] = x[i];
  __syncthreads();
  float a = 0;
  if (t < 16) a = s[63 - t];
  y[i] = a + s[63 - t];
}

__global__ void values_held_e6(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  s[t] = x[i];
  __syncthreads();
  float a = 0;
  if (t < 16) a = s[63 - t];
  if (i < n) y[i] = a + s[63 - t];
}

__global__ void values_held_e7(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  s[t] = x[i];
  __syncthreads();
  float a;
  if (t < 16) a = s[63 - t] * 2; else a = s[63 - t] + sqrtf(x[t]);
  if (i < n) y[i] = a + s[63 - t];
}

__global__ void values_held_e8(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  s[t] = x[i];
  __syncthreads();
  if (t < 32) s[t] += s[t + 32];
  __syncwarp();
  if (t < 16) s[t] += s[t + 16];
  if (t == 0) y[blockIdx.x] = s[0];
}

__global__ void values_held_e11(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  float a = 0;
  if (t < 16) a = x[i];
  if (i < n) y[i] = a + x[i];
}

__global__ void values_held_e12(const float* __restrict__ x, float* __restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  float a = 0;
  if (t < 16) { a = x[i]; y[i + 512] = a; }
  if (i < n) y[i] = a + x[i];
}

__global__ void values_held_p1(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  s[t] = x[i];
  __syncthreads();
  float a = 0;
  if (t < 32) a = s[63 - t];
  y[i] = a + s[63 - t];
}

__global__ void values_held_p2(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  float a = 0;
  if (t < 32) a = x[i + 64];
  y[i] = a + x[i + 64];
}

__global__ void values_held_p3(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  s[t] = x[i];
  __syncthreads();
  float a = 0;
  if (t < 32) { a = s[63 - t]; y[i + 512] = a; }
  y[i] = a + s[63 - t];
}

__global__ void values_held_p4(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  if (t < 32) s[t] = x[i];
  y[i] = s[t];
}

__global__ void values_held_p5(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  if (t < 32) s[t] = x[i];
  if (i < n) y[i] = s[t];
}

__global__ void values_held_p6(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  s[t] = x[i];
  __syncthreads();
  float a;
  if (t < 32) a = s[63 - t] * 2; else a = s[63 - t] + sqrtf(x[t]);
  if (i < n) y[i] = a + s[63 - t];
}

__global__ void values_held_p7(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  s[t] = x[i];
  __syncthreads();
  float a = 0;
  for (int j = 0; j < n; j += 30) a += s[63 - t] * x[j];
  y[i] = a + s[63 - t];
}
