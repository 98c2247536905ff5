// The reader chooses the loop and the line.
__global__ void reduce(const int* in, int* out) {
  __shared__ int sdata[256];
  int tid = threadIdx.x;
  sdata[tid] = in[tid];
  __syncthreads();
  {order} {
    {line} //@add
    __syncthreads();
  }
  if (tid == 0)
    out[0] = sdata[0];
}
