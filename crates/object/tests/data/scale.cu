// scale_size.fatbin: nvcc 13.5 -fatbin -gencode arch=compute_90,code=sm_90 -gencode arch=compute_80,code=compute_80
// --compress-mode=size, which packs both codes as Zstandard; scale_speed.fatbin: --compress-mode=speed, PTX as LZ4.
__global__ void scale(float* out, const float* in, float factor, int count) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at < count) out[at] = in[at] * factor;
}
__global__ void turn(float* out, const float* in, int side) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * side + x];
  __syncthreads();
  out[(blockIdx.x * 32 + threadIdx.y) * side + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
