// every thread hashes 16 words kept in a shared column: w[round][thread]
#define ROTR(x, n) __funnelshift_r((x), (x), (n))
__global__ void sha_like_message_schedule(const unsigned int *msg, unsigned int *digest)
{
    __shared__ unsigned int w[16][64];
    const unsigned int t = threadIdx.y * 32 + threadIdx.x;
    const unsigned int id = blockIdx.x * 64 + t;
#pragma unroll
    for (int i = 0; i < 16; i++) w[i][t] = msg[id * 16 + i];
    unsigned int a = 0x6a09e667u, b = 0xbb67ae85u;
    for (int r = 0; r < 48; ++r) {
        unsigned int w0 = w[(r + 1) & 15][t], w1 = w[(r + 14) & 15][t];
        unsigned int s0 = ROTR(w0, 7) ^ ROTR(w0, 18) ^ (w0 >> 3);
        unsigned int s1 = ROTR(w1, 17) ^ ROTR(w1, 19) ^ (w1 >> 10);
        unsigned int nw = w[r & 15][t] + s0 + w[(r + 9) & 15][t] + s1;
        w[r & 15][t] = nw;
        unsigned int tmp = ROTR(a, 2) + (a & b) + nw;
        a = b;
        b = tmp;
    }
    digest[id] = a ^ b;
}
