__global__ void loop_sizes_z4(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  float a = 0, b = 1;
  for (int j = t; j < n; j += 32) {
    float v = x[j];
    a = a * v + 0.5f; b = b * a + v;
    a = a * v + 1.5f; b = b * a + v;
  }
  y[i] = a + b;
}

__global__ void loop_sizes_z8(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  float a = 0, b = 1;
  for (int j = t; j < n; j += 32) {
    float v = x[j];
    a = a * v + 0.5f; b = b * a + v;
    a = a * v + 1.5f; b = b * a + v;
    a = a * v + 2.5f; b = b * a + v;
    a = a * v + 3.5f; b = b * a + v;
  }
  y[i] = a + b;
}

__global__ void loop_sizes_z12(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  float a = 0, b = 1;
  for (int j = t; j < n; j += 32) {
    float v = x[j];
    a = a * v + 0.5f; b = b * a + v;
    a = a * v + 1.5f; b = b * a + v;
    a = a * v + 2.5f; b = b * a + v;
    a = a * v + 3.5f; b = b * a + v;
    a = a * v + 4.5f; b = b * a + v;
    a = a * v + 5.5f; b = b * a + v;
  }
  y[i] = a + b;
}

__global__ void loop_sizes_z16(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  float a = 0, b = 1;
  for (int j = t; j < n; j += 32) {
    float v = x[j];
    a = a * v + 0.5f; b = b * a + v;
    a = a * v + 1.5f; b = b * a + v;
    a = a * v + 2.5f; b = b * a + v;
    a = a * v + 3.5f; b = b * a + v;
    a = a * v + 4.5f; b = b * a + v;
    a = a * v + 5.5f; b = b * a + v;
    a = a * v + 6.5f; b = b * a + v;
    a = a * v + 7.5f; b = b * a + v;
  }
  y[i] = a + b;
}

__global__ void loop_sizes_z24(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  float a = 0, b = 1;
  for (int j = t; j < n; j += 32) {
    float v = x[j];
    a = a * v + 0.5f; b = b * a + v;
    a = a * v + 1.5f; b = b * a + v;
    a = a * v + 2.5f; b = b * a + v;
    a = a * v + 3.5f; b = b * a + v;
    a = a * v + 4.5f; b = b * a + v;
    a = a * v + 5.5f; b = b * a + v;
    a = a * v + 6.5f; b = b * a + v;
    a = a * v + 7.5f; b = b * a + v;
    a = a * v + 8.5f; b = b * a + v;
    a = a * v + 9.5f; b = b * a + v;
    a = a * v + 10.5f; b = b * a + v;
    a = a * v + 11.5f; b = b * a + v;
  }
  y[i] = a + b;
}

__global__ void loop_sizes_z32(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  float a = 0, b = 1;
  for (int j = t; j < n; j += 32) {
    float v = x[j];
    a = a * v + 0.5f; b = b * a + v;
    a = a * v + 1.5f; b = b * a + v;
    a = a * v + 2.5f; b = b * a + v;
    a = a * v + 3.5f; b = b * a + v;
    a = a * v + 4.5f; b = b * a + v;
    a = a * v + 5.5f; b = b * a + v;
    a = a * v + 6.5f; b = b * a + v;
    a = a * v + 7.5f; b = b * a + v;
    a = a * v + 8.5f; b = b * a + v;
    a = a * v + 9.5f; b = b * a + v;
    a = a * v + 10.5f; b = b * a + v;
    a = a * v + 11.5f; b = b * a + v;
    a = a * v + 12.5f; b = b * a + v;
    a = a * v + 13.5f; b = b * a + v;
    a = a * v + 14.5f; b = b * a + v;
    a = a * v + 15.5f; b = b * a + v;
  }
  y[i] = a + b;
}

__global__ void loop_sizes_z48(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  float a = 0, b = 1;
  for (int j = t; j < n; j += 32) {
    float v = x[j];
    a = a * v + 0.5f; b = b * a + v;
    a = a * v + 1.5f; b = b * a + v;
    a = a * v + 2.5f; b = b * a + v;
    a = a * v + 3.5f; b = b * a + v;
    a = a * v + 4.5f; b = b * a + v;
    a = a * v + 5.5f; b = b * a + v;
    a = a * v + 6.5f; b = b * a + v;
    a = a * v + 7.5f; b = b * a + v;
    a = a * v + 8.5f; b = b * a + v;
    a = a * v + 9.5f; b = b * a + v;
    a = a * v + 10.5f; b = b * a + v;
    a = a * v + 11.5f; b = b * a + v;
    a = a * v + 12.5f; b = b * a + v;
    a = a * v + 13.5f; b = b * a + v;
    a = a * v + 14.5f; b = b * a + v;
    a = a * v + 15.5f; b = b * a + v;
    a = a * v + 16.5f; b = b * a + v;
    a = a * v + 17.5f; b = b * a + v;
    a = a * v + 18.5f; b = b * a + v;
    a = a * v + 19.5f; b = b * a + v;
    a = a * v + 20.5f; b = b * a + v;
    a = a * v + 21.5f; b = b * a + v;
    a = a * v + 22.5f; b = b * a + v;
    a = a * v + 23.5f; b = b * a + v;
  }
  y[i] = a + b;
}

__global__ void loop_sizes_z1(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  float a = 0;
  for (int j = t; j < n; j += 32) { float v = x[j]; if (v > 0.5f) a += x[j + 1024]; else a += v; }
  y[i] = a;
}

__global__ void loop_sizes_z2(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  float a = 0;
  for (int j = t; j < n; j += 32) a += expf(x[j]);
  y[i] = a;
}

__global__ void loop_sizes_z3(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  for (int j = t; j < n; j += 32) y[j] = 2.0f;
}

__global__ void loop_sizes_z5(const float* __restrict__ x, float* __restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  for (int j = t; j < n; j += 32) y[j] = x[j] * 2.0f;
}

__global__ void loop_sizes_z6(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  for (int j = t; j < n; j += 32) y[j] = x[j] * 2.0f;
}

__global__ void loop_sizes_z7(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  int a = 0;
  for (int j = t; j < n; j += 32) a += (int)x[j];
  y[i] = a;
}

__global__ void loop_sizes_z9(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  double a = 0;
  for (long long j = t; j < n; j += 32) a += x[j];
  y[i] = a;
}

__global__ void loop_sizes_z10(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  float a = 0;
  for (size_t j = t; j < n; j += 32) a += x[j];
  y[i] = a;
}

__global__ void loop_sizes_z11(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  float a = 0;
  for (unsigned j = t; j < n; j++) a += x[j];
  y[i] = a;
}

__global__ void loop_sizes_z13(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  float a = 0;
  #pragma unroll 8
  for (int j = t; j < n; j += 32) a += x[j];
  y[i] = a;
}

__global__ void loop_sizes_z14(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  float a = 0;
  #pragma unroll
  for (int j = t; j < n; j += 32) a += x[j];
  y[i] = a;
}

__global__ void loop_sizes_z15(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  float a = 0;
  for (int j = t; j < n; j += 32) { a += x[j]; if (a > 100.0f) break; }
  y[i] = a;
}

__global__ void loop_sizes_z17(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  float a = 0;
  for (int j = t; j < n; j += 32) for (int c = 0; c < 3; c++) a += x[j + c];
  y[i] = a;
}

__global__ void loop_sizes_z18(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  float a = 0;
  for (int j = t; j < n; j += 32) a += x[j] / (1.0f + a);
  y[i] = a;
}

__global__ void loop_sizes_z21(const float* x, float* y, int n) {
  __shared__ float s[1024];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  for (int j = t; j < n; j += 64) s[j] = x[j];
  __syncthreads();
  y[i] = s[t];
}

__global__ void loop_sizes_z22(const float* x, float* y, int n) {
  __shared__ int h[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  h[t] = 0;
  __syncthreads();
  for (int j = t; j < n; j += 32) atomicAdd(&h[j % 64], 2);
  __syncthreads();
  y[i] = h[t];
}
