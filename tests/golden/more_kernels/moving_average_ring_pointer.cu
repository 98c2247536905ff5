// each thread filters its own series with a ring of five values in shared memory, thread-major
__global__ void moving_average_ring_pointer(const float *in, float *out, int len, int win)
{
    __shared__ float ring[48 * 5];
    float *my = ring + threadIdx.x * 5;
    const float *p = in + (blockIdx.x * 48 + threadIdx.x) * len;
    float *q = out + (blockIdx.x * 48 + threadIdx.x) * len;
    for (int k = 0; k < win; k++) my[k] = 0;
    float sum = 0;
    int head = 0;
    const float *end = p + len;
    do {
        sum -= my[head];
        my[head] = *p;
        sum += *p++;
        if (++head == win) head = 0;
        *q++ = sum / win;
    } while (p != end);
}
