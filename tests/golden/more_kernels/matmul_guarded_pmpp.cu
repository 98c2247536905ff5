#define TILE_WIDTH 16

// P (j x l) = M (j x k) * N (k x l), none of them a multiple of the tile
__global__ void matmul_guarded_pmpp(float* M, float* N, float* P, int j, int k, int l) {
    __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
    __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

    int bx = blockIdx.x; int by = blockIdx.y;
    int tx = threadIdx.x; int ty = threadIdx.y;

    // Identify the row and column of the P element to work on
    int Row = by * TILE_WIDTH + ty;
    int Col = bx * TILE_WIDTH + tx;

    float Pvalue = 0;
    // Loop over the M and N tiles required to compute P element
    for (int ph = 0; ph < ceil(k/(float)TILE_WIDTH); ++ph) {
        if ((Row < j) && (ph*TILE_WIDTH+tx) < k)
            Mds[ty][tx] = M[Row*k + ph*TILE_WIDTH + tx];
        else Mds[ty][tx] = 0.0f;
        if ((ph*TILE_WIDTH+ty) < k && Col < l)
            Nds[ty][tx] = N[(ph*TILE_WIDTH + ty)*l + Col];
        else Nds[ty][tx] = 0.0f;
        __syncthreads();

        for (int q = 0; q < TILE_WIDTH; ++q) {
            Pvalue += Mds[ty][q] * Nds[q][tx];
        }
        __syncthreads();
    }
    if ((Row < j) && (Col < l))
        P[Row*l + Col] = Pvalue;
}
