__global__ void spmv_dia_banded(const double *diags, const double *x, double *y, int num_rows, int num_diags, int spread)
{
    int row = blockDim.x * blockIdx.x + threadIdx.x;
    if (row < num_rows) {
        double dot = 0;
        for (int n = 0; n < num_diags; n++) {
            int col = row + (n - num_diags / 2) * spread;
            if (col >= 0 && col < num_rows)
                dot += diags[num_rows * n + row] * x[col];
        }
        y[row] += dot;
    }
}
