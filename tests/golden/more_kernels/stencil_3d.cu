__global__ void stencil_3d(const float* in, float* out, int n) {
  __shared__ float cube[6][10][10];
  int x = blockIdx.x * 8 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  int z = blockIdx.z * 4 + threadIdx.z;
  int lx = threadIdx.x + 1, ly = threadIdx.y + 1, lz = threadIdx.z + 1;
  int i = (z * n + y) * n + x;
  cube[lz][ly][lx] = in[i];
  if (threadIdx.x == 0) cube[lz][ly][0] = x > 0 ? in[i - 1] : 0.0f;
  if (threadIdx.x == 7) cube[lz][ly][9] = x < n - 1 ? in[i + 1] : 0.0f;
  if (threadIdx.y == 0) cube[lz][0][lx] = y > 0 ? in[i - n] : 0.0f;
  if (threadIdx.y == 7) cube[lz][9][lx] = y < n - 1 ? in[i + n] : 0.0f;
  if (threadIdx.z == 0) cube[0][ly][lx] = z > 0 ? in[i - n * n] : 0.0f;
  if (threadIdx.z == 3) cube[5][ly][lx] = z < 31 ? in[i + n * n] : 0.0f;
  __syncthreads();
  out[i] = cube[lz][ly][lx - 1] + cube[lz][ly][lx + 1] + cube[lz][ly - 1][lx] + cube[lz][ly + 1][lx] + cube[lz - 1][ly][lx] + cube[lz + 1][ly][lx];
}
