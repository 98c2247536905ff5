__global__ void stride_probe(const unsigned* in, unsigned* out, unsigned stride, unsigned rounds) {
  __shared__ unsigned words[4096];
  for (unsigned i = threadIdx.x; i < 4096; i += 64) words[i] = i + in[0];
  __syncthreads();
  unsigned at = threadIdx.x * stride;
  for (unsigned step = 0; step < 16 * rounds; step++) at = words[at];
  out[blockIdx.x * 64 + threadIdx.x] = at;
}
