__global__ void stored_constants_a1(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  if (i < n) s[t] = x[i]; else s[t] = 0.0f;
  __syncthreads();
  y[i] = s[63 - threadIdx.x];
}

__global__ void stored_constants_a2(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) s[threadIdx.x] = x[i]; else s[threadIdx.x] = 0.0f;
  __syncthreads();
  y[i] = s[63 - threadIdx.x];
}

__global__ void stored_constants_a3(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  if (i < n) s[t] = x[i]; else s[t] = x[t] * 2.0f;
  __syncthreads();
  y[i] = s[63 - threadIdx.x];
}

__global__ void stored_constants_a4(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) s[threadIdx.x] = x[i]; else s[threadIdx.x] = x[threadIdx.x] * 2.0f;
  __syncthreads();
  y[i] = s[63 - threadIdx.x];
}

__global__ void stored_constants_a5(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < n; j += 40) {
    if (i + j < n) s[threadIdx.x] = x[i + j]; else s[threadIdx.x] = 0.0f;
    __syncthreads();
    y[i] += s[63 - threadIdx.x];
    __syncthreads();
  }
}

__global__ void stored_constants_a6(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i]; else y[i] = 0.0f;
}

__global__ void stored_constants_a7(const float* x, float* y, int n) {
  __shared__ float s[8][8];
  int tx = threadIdx.x, ty = threadIdx.y;
  int c = blockIdx.x * 8 + tx, r = ty;
  if (r < n && c < n) s[ty][tx] = x[r * n + c]; else s[ty][tx] = 0.0f;
  __syncthreads();
  y[r * 16 + c] = s[tx][ty];
}

__global__ void stored_constants_a8(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  float v = 0.0f;
  if (i < n) v = x[i];
  s[t] = v;
  __syncthreads();
  y[i] = s[63 - threadIdx.x];
}

__global__ void stored_constants_a9(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  if (i < n) s[t] = 1.0f; else s[t] = 2.0f;
  __syncthreads();
  y[i] = s[63 - threadIdx.x];
}

__global__ void stored_constants_a10(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int t = threadIdx.x;
  if (i < n) s[t] = x[i]; else s[t] = 0.0f;
  __syncthreads();
  y[i] = s[63 - threadIdx.x];
}

__global__ void stored_constants_a11(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  if (i < n) { s[t] = x[i]; } else { s[t] = -1.0f; }
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    float v = 0;
    if (t >= d) v = s[t - d];
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  y[i] = s[t];
}

__global__ void stored_constants_a12(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = 2 * blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  if (i + blockDim.x < n) s[t] = x[i] + x[i + blockDim.x]; else if (i < n) s[t] = x[i]; else s[t] = 0.0f;
  __syncthreads();
  y[blockIdx.x * blockDim.x + t] = s[63 - t];
}

__global__ void stored_constants_a13(const float* x, float* y, int n) {
  __shared__ float s[66];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  s[t + 1] = x[i];
  if (t == 0) s[0] = i > 0 ? x[i - 1] : 0.0f;
  if (t == 63) s[65] = i + 1 < n ? x[i + 1] : 0.0f;
  __syncthreads();
  y[i] = s[t] + s[t + 1] + s[t + 2];
}

__global__ void stored_constants_a14(const float* x, float* y, int n) {
  __shared__ float s[66];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  s[t + 1] = x[i];
  if (t == 0) { if (i > 0) s[0] = x[i - 1]; else s[0] = 0.0f; }
  __syncthreads();
  y[i] = s[t] + s[t + 1];
}
