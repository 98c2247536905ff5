__global__ void col2im_gpu(const int n, const float* data_col, const int channels,
    const int height, const int width, const int kernel, const int pad, const int stride,
    const int height_col, const int width_col, float* data_im)
{
    for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < n; index += blockDim.x * gridDim.x) {
        float val = 0;
        const int w_im = index % width + pad;
        const int h_im = (index / width) % height + pad;
        const int c_im = index / (width * height);
        // compute the start and end of the output
        const int w_col_start = (w_im < kernel) ? 0 : (w_im - kernel) / stride + 1;
        const int w_col_end = min(w_im / stride + 1, width_col);
        const int h_col_start = (h_im < kernel) ? 0 : (h_im - kernel) / stride + 1;
        const int h_col_end = min(h_im / stride + 1, height_col);
        for (int h_col = h_col_start; h_col < h_col_end; h_col += 1) {
            for (int w_col = w_col_start; w_col < w_col_end; w_col += 1) {
                int h_k = (h_im - h_col * stride);
                int w_k = (w_im - w_col * stride);
                int data_col_index = (((c_im * kernel + h_k) * kernel + w_k) * height_col + h_col) * width_col + w_col;
                val += data_col[data_col_index];
            }
        }
        data_im[index] = val;
    }
}
