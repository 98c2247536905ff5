// three rotating anti-diagonals of unsigned shorts
__global__ void edit_distance_rotating_rows(const char *a, const char *b, int *dist, int la, int lb)
{
    __shared__ unsigned short diag[3][64];
    __shared__ char sa[60], sb[40];
    const int i = threadIdx.x;
    if (i < la) sa[i] = a[blockIdx.x * la + i];
    if (i < lb) sb[i] = b[blockIdx.x * lb + i] + (i & 1);
    __syncthreads();
    unsigned short *prev2 = diag[0], *prev = diag[1], *cur = diag[2];
    for (int d = 0; d <= la + lb; ++d) {
        const int j = d - i;
        if (i <= la && j >= 0 && j <= lb) {
            unsigned short v;
            if (i == 0) v = j;
            else if (j == 0) v = i;
            else {
                unsigned short sub = prev2[i - 1] + (sa[i - 1] != sb[j - 1]);
                unsigned short del = prev[i - 1] + 1, ins = prev[i] + 1;
                v = min(sub, min(del, ins));
            }
            cur[i] = v;
        }
        __syncthreads();
        unsigned short *t = prev2;
        prev2 = prev;
        prev = cur;
        cur = t;
    }
    if (i == 0) dist[blockIdx.x] = prev[la];
}
