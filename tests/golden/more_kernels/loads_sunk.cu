__global__ void loads_sunk_d2(const float* x, float* y, int n) {
  __shared__ float m[2];
  int t = threadIdx.x;
  if (t < 2) m[t] = x[t];
  __syncthreads();
  for (int j = t; j < n; j += blockDim.x) y[j] = (x[j] - m[0]) * m[1];
}

__global__ void loads_sunk_d3(const float* x, float* y, int n) {
  __shared__ float m, d;
  int t = threadIdx.x;
  if (t == 0) { m = x[0]; d = x[1]; }
  __syncthreads();
  for (int j = t; j < n; j += blockDim.x) y[j] = (x[j] - m) * rsqrtf(d);
}

__global__ void loads_sunk_d4(const float* x, float* y, int n) {
  __shared__ float m[2];
  int t = threadIdx.x;
  if (t < 2) m[t] = x[t];
  __syncthreads();
  float inv = rsqrtf(m[1]);
  if (t < n) y[t] = (x[t] - m[0]) * inv;
}

__global__ void loads_sunk_d5(const float* x, float* y, int n) {
  __shared__ float m[2];
  int t = threadIdx.x;
  if (t < 2) m[t] = x[t];
  __syncthreads();
  float sc = m[1];
  if (t < n) y[t] = (x[t] - m[0]) * sc;
}

__global__ void loads_sunk_s1(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  s[t] = x[i];
  __syncthreads();
  float v = s[63 - t];
  if (t < 16) y[i] = v;
}

__global__ void loads_sunk_s2(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  float v = x[i + 64];
  if (t < 16) y[i] = v;
}

__global__ void loads_sunk_s3(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  s[t] = x[i];
  __syncthreads();
  float v = s[63 - t];
  if (t < 16) { y[i] = v; y[i + 512] = v * v; }
}

__global__ void loads_sunk_s4(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  s[t] = x[i];
  __syncthreads();
  float v = s[63 - t];
  if (t < 16) y[i] = v; else y[i] = v * 2.0f + sqrtf(v);
}

__global__ void loads_sunk_s5(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  s[t] = x[i];
  __syncthreads();
  float v = s[63 - t], a = 0;
  if (t < 16) a = v * 3.0f + x[i];
  y[i] = a;
}

__global__ void loads_sunk_s6(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  s[t] = x[i];
  __syncthreads();
  float v = s[63 - t];
  s[t + 0] = 2.0f;
  if (t < 16) y[i] = v;
}

__global__ void loads_sunk_s7(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  s[t] = x[i];
  __syncthreads();
  float v = s[63 - t];
  __syncthreads();
  if (t < 16) y[i] = v;
}

__global__ void loads_sunk_s8(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  s[t] = x[i];
  __syncthreads();
  float v = s[63 - t], w = s[t ^ 1];
  float u = v * w + 1.0f;
  if (t < 16) y[i] = u;
}

__global__ void loads_sunk_s10(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  s[t] = x[i];
  __syncthreads();
  float v = s[63 - t];
  if (t < 16) { if (i < n) y[i] = v; }
}

__global__ void loads_sunk_s11(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  float v = x[i + 64];
  y[i + 1024] = 1.0f;
  if (t < 16) y[i] = v;
}

__global__ void loads_sunk_s12(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  float v = x[i + 64];
  if (t >= 16) return;
  y[i] = v;
}

__global__ void loads_sunk_s13(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  s[t] = x[i];
  __syncthreads();
  float v = s[63 - t];
  if (t >= 16) return;
  y[i] = v;
}

__global__ void loads_sunk_s14(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  s[t] = x[i];
  __syncthreads();
  float l = s[t], r = s[63 - t];
  if (i < n) y[i] = l + r;
}

__global__ void loads_sunk_s15(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  float4 v = ((const float4*)x)[i];
  if (t < 16) y[i] = v.x + v.y + v.z + v.w;
}

__global__ void loads_sunk_s16(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  s[t] = x[i];
  __syncthreads();
  float a = s[63 - t];
  if (t < 16 && a > -1.0f) y[i] = a;
}

__global__ void loads_sunk_w1(const float* x, float* y, int n) {
  __shared__ float m[2];
  int t = threadIdx.x;
  if (t < 2) m[t] = x[t];
  __syncthreads();
  float inv = m[1];
  for (int j = t; j < n; j += blockDim.x) y[j] = x[j] * inv;
}

__global__ void loads_sunk_w2(const float* x, float* y, int n) {
  __shared__ float m[4];
  int t = threadIdx.x;
  if (t < 4) m[t] = x[t];
  __syncthreads();
  float a = m[0], b = m[1];
  for (int j = t; j < n; j += blockDim.x) y[j] = x[j] * a + b * m[2] + m[3];
}
