__global__ void uniform_update_add(uint4 *d_Data, unsigned int *d_Buffer)
{
    __shared__ unsigned int buf;
    unsigned int pos = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) {
        buf = d_Buffer[blockIdx.x];
    }
    __syncthreads();
    uint4 data4 = d_Data[pos];
    data4.x += buf;
    data4.y += buf;
    data4.z += buf;
    data4.w += buf;
    d_Data[pos] = data4;
}
