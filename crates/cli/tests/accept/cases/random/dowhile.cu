__global__ void k(int* out, const int* in) {
  int t = threadIdx.x, j = t % 3, sum = 0;
  do {
    if (j == 2) { ++j; continue; }
    sum += in[j * 64 + t];
    if (j > 5) break;
    j += 2;
  } while (j < 9);
  out[t] = sum;
}
