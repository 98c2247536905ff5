// vLLM layout: key_cache[blocks, heads, head/x, block, x], value_cache[blocks, heads, head, block];
// token t goes to slot (t * 5) % 16 of block 0
__global__ void kv_cache_pack_x(const float *__restrict__ key, const float *__restrict__ value,
                                float *__restrict__ key_cache, float *__restrict__ value_cache,
                                const int num_heads, const int head_size, const int block_size, const int x)
{
  const int64_t token_idx = blockIdx.x;
  const int64_t slot_idx = (token_idx * 5) % block_size;
  const int64_t block_idx = slot_idx / block_size;
  const int64_t block_offset = slot_idx % block_size;
  const int n = num_heads * head_size;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const int64_t src = token_idx * n + i;
    const int head_idx = i / head_size;
    const int head_offset = i % head_size;
    const int x_idx = head_offset / x;
    const int x_offset = head_offset % x;
    const int64_t tgt_key_idx = block_idx * num_heads * (head_size / x) * block_size * x
        + head_idx * (head_size / x) * block_size * x + x_idx * block_size * x + block_offset * x + x_offset;
    const int64_t tgt_value_idx = block_idx * num_heads * head_size * block_size
        + head_idx * head_size * block_size + head_offset * block_size + block_offset;
    key_cache[tgt_key_idx] = key[src];
    value_cache[tgt_value_idx] = value[src];
  }
}
