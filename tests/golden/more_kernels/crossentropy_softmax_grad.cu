// V classes, of the P padded ones only V exist; one row per block
__global__ void crossentropy_softmax_grad(float* dlogits, float* losses, const float* probs, const int* targets, int V, int P)
{
    const int bt = blockIdx.x;
    const int ix = targets[bt];
    if (threadIdx.x == 0) losses[bt] = -logf(probs[bt * V + ix]);
    for (int v = threadIdx.x; v < P; v += blockDim.x) {
        if (v >= V) break;
        float p = probs[bt * V + v];
        float indicator = v == ix ? 1.0f : 0.0f;
        dlogits[bt * V + v] += (p - indicator) / gridDim.x;
    }
}
