// Everything the kernel needs in one struct: pointers, extents, weights and a scale.
struct Problem {
  const float* in;
  float* out;
  int n;
  float weights[5];
  double scale;
};

struct Window {
  float value[5];
  int filled;
};

__device__ Window load(const Problem& p, int centre) {
  Window w;
  w.filled = 0;
  for (int k = 0; k < 5; ++k) {
    int at = centre + k - 2;
    bool inside = at >= 0 && at < p.n;
    w.value[k] = inside ? p.in[at] : 0.0f;
    if (inside) w.filled++;
  }
  return w;
}

__global__ void smooth(Problem p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= p.n) return;
  Window w = load(p, i);
  float sum = 0.0f;
  for (int k = 0; k < 5; ++k) sum += p.weights[k] * w.value[k];
  p.out[i] = w.filled == 5 ? (float)(sum * p.scale) : sum;
}
// expects: smooth clean 990
// stepping: smooth refused an array within a struct ('w.value') cannot be recorded on a GPU
