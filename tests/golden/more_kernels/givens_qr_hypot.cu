// Givens QR of a 16 x 32 panel (column per lane), rotations from hypotf of shared entries
__device__ void rotation(float f, float g, float *c, float *s)
{
    float r = hypotf(f, g);
    if (r == 0.f) { *c = 1.f; *s = 0.f; }
    else { *c = f / r; *s = g / r; }
}
__global__ void givens_qr_hypot(float *A, int m)
{
    __shared__ float s[16][32];
    const int lane = threadIdx.x;
    float *a = A + blockIdx.x * m * 32;
    for (int i = 0; i < m; i++) s[i][lane] = a[i * 32 + lane];
    __syncwarp();
    for (int j = 0; j < m - 1; j++) {
        for (int i = m - 1; i > j; i--) {
            float c, sn;
            rotation(s[i - 1][j], s[i][j], &c, &sn);
            float u = s[i - 1][lane], v = s[i][lane];
            __syncwarp();
            if (lane >= j) {
                s[i - 1][lane] = c * u + sn * v;
                s[i][lane] = c * v - sn * u;
            }
            __syncwarp();
        }
    }
    for (int i = 0; i < m; i++) a[i * 32 + lane] = s[i][lane];
}
