#define BX 16
#define BY 8
// threads cover the halo; only the interior writes
__global__ void canny_gradient_angle(const float *img, float *mag, unsigned char *dir, int cols, int rows)
{
    __shared__ float s[BY + 2][BX + 2];
    int x = blockIdx.x * BX + threadIdx.x - 1;
    int y = blockIdx.y * BY + threadIdx.y - 1;
    int cx = max(0, min(x, cols - 1)), cy = max(0, min(y, rows - 1));
    s[threadIdx.y][threadIdx.x] = img[cy * cols + cx];
    __syncthreads();
    if (threadIdx.x == 0 || threadIdx.x > BX || threadIdx.y == 0 || threadIdx.y > BY) return;
    int i = threadIdx.y, j = threadIdx.x;
    float gx = s[i-1][j+1] + 2 * s[i][j+1] + s[i+1][j+1] - s[i-1][j-1] - 2 * s[i][j-1] - s[i+1][j-1];
    float gy = s[i+1][j-1] + 2 * s[i+1][j] + s[i+1][j+1] - s[i-1][j-1] - 2 * s[i-1][j] - s[i-1][j+1];
    float angle = atan2f(gy, gx) * 57.29578f;
    if (angle < 0) angle += 180.f;
    unsigned char q = 0;
    if (angle >= 22.5f && angle < 67.5f) q = 1;
    else if (angle >= 67.5f && angle < 112.5f) q = 2;
    else if (angle >= 112.5f && angle < 157.5f) q = 3;
    mag[y * cols + x] = hypotf(gx, gy);
    dir[y * cols + x] = q;
}
