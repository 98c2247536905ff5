// positions packed xyz, stride-3 doubles in shared
__global__ void lennard_jones_tile_double(const double *x, double *f, int n, double sigma, double eps)
{
    __shared__ double s[48 * 3];
    int i = blockIdx.x * 48 + threadIdx.x;
    int ii = i < n ? i : n - 1;
    double xi = x[3 * ii], yi = x[3 * ii + 1], zi = x[3 * ii + 2];
    double fx = 0, fy = 0, fz = 0;
    for (int j0 = 0; j0 < n; j0 += 48) {
        int m = min(48, n - j0);
        for (int k = threadIdx.x; k < 3 * m; k += 48) s[k] = x[3 * j0 + k];
        __syncthreads();
        for (int j = 0; j < m; j++) {
            if (j0 + j == i) continue;
            double dx = xi - s[3 * j], dy = yi - s[3 * j + 1], dz = zi - s[3 * j + 2];
            double r2 = dx * dx + dy * dy + dz * dz + 1e-3;
            double s2 = sigma * sigma / r2;
            double s6 = s2 * s2 * s2;
            double w = 24.0 * eps * s6 * (2.0 * s6 - 1.0) / r2;
            fx += w * dx; fy += w * dy; fz += w * dz;
        }
        __syncthreads();
    }
    if (i < n) {
        f[i] = fx;
        f[n + i] = fy;
        f[2 * n + i] = fz;
    }
}
