// rank sort: rank = number of smaller keys (index breaks ties)
__global__ void enumeration_sort(const int *in, int *out)
{
    __shared__ int key[96], sorted[96];
    int me = threadIdx.x;
    key[me] = in[blockIdx.x * blockDim.x + me];
    __syncthreads();
    int mine = key[me], rank = 0;
    for (int j = 0; j < 96; j++)
        rank += (key[j] < mine) || (key[j] == mine && j < me);
    sorted[rank] = mine;
    __syncthreads();
    out[blockIdx.x * blockDim.x + me] = sorted[me];
}
