struct Mat3 { float m[9]; };
__global__ void batched_inverse_3x3(const Mat3* a, Mat3* r, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Mat3 m = a[i];
  Mat3 o;
  float c0 = m.m[4] * m.m[8] - m.m[5] * m.m[7];
  float c1 = m.m[5] * m.m[6] - m.m[3] * m.m[8];
  float c2 = m.m[3] * m.m[7] - m.m[4] * m.m[6];
  float det = m.m[0] * c0 + m.m[1] * c1 + m.m[2] * c2;
  float inv = 1.0f / (det + 1.0f);
  o.m[0] = c0 * inv;
  o.m[1] = (m.m[2] * m.m[7] - m.m[1] * m.m[8]) * inv;
  o.m[2] = (m.m[1] * m.m[5] - m.m[2] * m.m[4]) * inv;
  o.m[3] = c1 * inv;
  o.m[4] = (m.m[0] * m.m[8] - m.m[2] * m.m[6]) * inv;
  o.m[5] = (m.m[2] * m.m[3] - m.m[0] * m.m[5]) * inv;
  o.m[6] = c2 * inv;
  o.m[7] = (m.m[1] * m.m[6] - m.m[0] * m.m[7]) * inv;
  o.m[8] = (m.m[0] * m.m[4] - m.m[1] * m.m[3]) * inv;
  r[i] = o;
}
