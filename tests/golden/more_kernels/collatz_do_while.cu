__global__ void collatz_do_while(int* out) {
  __shared__ int s[256];
  int t = threadIdx.x;
  for (int k = t; k < 256; k += 64) s[k] = k;
  __syncthreads();
  unsigned n = t + 1;
  int sum = 0;
  do {
    sum += s[n & 255u];
    n = (n & 1) ? 3 * n + 1 : n / 2;
  } while (n > 1);
  out[blockIdx.x * 64 + t] = sum;
}
