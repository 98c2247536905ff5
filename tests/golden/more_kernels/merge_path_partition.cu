__global__ void merge_path_partition(const int* a, const int* b, int* out) {
  __shared__ int sa[64], sb[64];
  int t = threadIdx.x;
  sa[t] = a[blockIdx.x * 64 + t]; sa[t + 32] = a[blockIdx.x * 64 + t + 32];
  sb[t] = b[blockIdx.x * 64 + t]; sb[t + 32] = b[blockIdx.x * 64 + t + 32];
  __syncthreads();
  int diag = t * 4;
  int lo = diag > 64 ? diag - 64 : 0, hi = diag < 64 ? diag : 64;
  while (lo < hi) {
    int mid = (lo + hi) >> 1;
    if (sa[mid] <= sb[diag - 1 - mid]) lo = mid + 1;
    else hi = mid;
  }
  out[blockIdx.x * 32 + t] = lo;
}
