// one tridiagonal system per thread, systems interleaved so that the loads coalesce
__global__ void thomas_interleaved_systems(const double *a, const double *b, double *c, double *d, int n, int systems)
{
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= systems) return;
    c[s] /= b[s] + 2.0;
    d[s] /= b[s] + 2.0;
    int i = s + systems;
    for (int k = 1; k < n; ++k, i += systems) {
        double m = 1.0 / (b[i] + 2.0 - a[i] * c[i - systems]);
        c[i] *= m;
        d[i] = (d[i] - a[i] * d[i - systems]) * m;
    }
    for (int k = n - 2; k >= 0; --k) {
        int j = k * systems + s;
        d[j] -= c[j] * d[j + systems];
    }
}
