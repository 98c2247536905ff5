__global__ void avgpool_ceil_caffe(const int nthreads, const float* const bottom, const int channels,
                                   const int height, const int width, const int pooled, float* const top)
{
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= nthreads) return;
  const int pw = index % pooled;
  const int ph = (index / pooled) % pooled;
  const int c = (index / pooled / pooled) % channels;
  const int n = index / pooled / pooled / channels;
  int hstart = ph * 2 - 1;
  int wstart = pw * 2 - 1;
  int hend = min(hstart + 3, height + 1);
  int wend = min(wstart + 3, width + 1);
  const int pool_size = (hend - hstart) * (wend - wstart);
  hstart = max(hstart, 0);
  wstart = max(wstart, 0);
  hend = min(hend, height);
  wend = min(wend, width);
  float aveval = 0;
  const float* const bottom_slice = bottom + (n * channels + c) * height * width;
  for (int h = hstart; h < hend; ++h) {
    for (int w = wstart; w < wend; ++w) {
      aveval += bottom_slice[h * width + w];
    }
  }
  top[index] = aveval / pool_size;
}
