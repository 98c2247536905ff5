// A kernel of a hundred lines with something to mend in most of them: four tiles, a structure,
// an interleaved reduction, rows that begin anywhere, neighbours that are taken one by one.
struct Particle {
  float x, y, z, mass;
};

__device__ float weight(float distance, float mass) {
  return mass / (distance + 1.0f);
}

__global__ void hundred_lines(const float* in, const float* other, const float* pairs, float* out,
                              float* sums, int width, int height) {
  __shared__ float tile[32][32];
  __shared__ float turned[32][32];
  __shared__ double wide[16][32];
  __shared__ Particle near[128];
  __shared__ float partial[256];
  int tid = threadIdx.x;
  int lane = tid % 32;
  int warp = tid / 32;
  int x = blockIdx.x * 32 + lane;
  int y = blockIdx.y * 32 + warp;

  // A tile is read by rows, in four steps of eight rows.
  for (int step = 0; step < 32; step += 8) {
    if (x < width && y + step < height) {
      tile[warp + step][lane] = in[(y + step) * width + x];
    } else {
      tile[warp + step][lane] = 0.0f;
    }
  }
  __syncthreads();

  // It is turned, and its columns are added.
  for (int step = 0; step < 32; step += 8) {
    turned[lane][warp + step] = tile[lane][warp + step];
  }
  __syncthreads();
  float column = 0.0f;
  for (int step = 0; step < 32; step += 8) {
    column += turned[warp + step][lane];
  }

  // Doubles by columns.
  if (tid < 128) {
    wide[lane % 16][warp * 8 + lane / 16] = column;
  }
  __syncthreads();
  double both = 0.0;
  for (int step = 0; step < 16; step += 8) {
    both += wide[warp + step][lane];
  }

  // Neighbours, one by one.
  int pair = blockIdx.x * blockDim.x + tid;
  float first = pairs[4 * pair];
  float second = pairs[4 * pair + 1];
  float third = pairs[4 * pair + 2];
  float fourth = pairs[4 * pair + 3];
  float mixed = first * second + third * fourth;

  // Structures of four words.
  if (tid < 128) {
    near[tid].x = first;
    near[tid].y = second;
    near[tid].z = third;
    near[tid].mass = fourth;
  }
  __syncthreads();
  float force = 0.0f;
  for (int k = 0; k < 4; k++) {
    int one = (tid + 32 * k) % 128;
    float dx = near[one].x - first;
    float dy = near[one].y - second;
    force += weight(dx * dx + dy * dy, near[one].mass);
  }

  // The other matrix, by columns.
  float across = 0.0f;
  if (x < width && y < height) {
    across = other[x * height + y];
  }

  // An interleaved reduction.
  partial[tid] = column + mixed + force + across;
  __syncthreads();
  for (int s = 1; s < blockDim.x; s *= 2) {
    int index = 2 * s * tid;
    if (index < blockDim.x) {
      partial[index] += partial[index + s];
    }
    __syncthreads();
  }
  if (tid == 0) {
    sums[blockIdx.y * gridDim.x + blockIdx.x] = partial[0];
  }

  // The result, by columns.
  for (int step = 0; step < 32; step += 8) {
    if (x < width && y + step < height) {
      out[(y + step) * width + x] = turned[warp + step][lane];
    }
  }
}
