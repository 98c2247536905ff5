typedef unsigned char pixel;
#define TILE 16
__device__ int ComputeSobel(pixel ul, pixel um, pixel ur, pixel ml, pixel mr, pixel ll, pixel lm, pixel lr)
{
    int horz = ur + 2 * mr + lr - ul - 2 * ml - ll;
    int vert = ul + 2 * um + ur - ll - 2 * lm - lr;
    int sum = abs(horz) + abs(vert);
    return sum > 255 ? 255 : sum;
}

__global__ void sobel_shared_bytes(const pixel *img, pixel *edges, int w, int h)
{
    __shared__ pixel s[TILE + 2][TILE + 2];
    int x0 = blockIdx.x * TILE - 1, y0 = blockIdx.y * TILE - 1;
    for (int i = threadIdx.y * TILE + threadIdx.x; i < (TILE + 2) * (TILE + 2); i += TILE * TILE) {
        int r = i / (TILE + 2), c = i % (TILE + 2);
        int x = x0 + c, y = y0 + r;
        s[r][c] = (x < 0 || y < 0 || x >= w || y >= h) ? 0 : img[y * w + x];
    }
    __syncthreads();
    int r = threadIdx.y, c = threadIdx.x;
    edges[(y0 + 1 + r) * w + x0 + 1 + c] = (pixel)ComputeSobel(s[r][c], s[r][c + 1], s[r][c + 2], s[r + 1][c], s[r + 1][c + 2],
                                                             s[r + 2][c], s[r + 2][c + 1], s[r + 2][c + 2]);
}
