struct Rec {
  float x;
  char flag;
  short kind;
  int id;
  float y;
  unsigned char tail;
};
__global__ void aos_to_soa_padded(const Rec* p, float* x, float* y, int* id, unsigned char* flag) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  Rec r = p[i];
  x[i] = r.x + r.kind;
  y[i] = r.y;
  id[i] = r.id;
  flag[i] = r.flag | r.tail;
}
