struct Point { float value; int x, y; };
struct Window {
  float sum = 0.0f; int count = 0;
  __device__ void add(float v) { sum += v; ++count; }
  __device__ float mean() const { return count > 0 ? sum / count : 0.0f; }
};
__global__ void mean3(const float* in, float* out, int width, int height) {
  Point p{0.0f, int(blockIdx.x * blockDim.x + threadIdx.x), int(blockIdx.y * blockDim.y + threadIdx.y)};
  if (p.x >= width || p.y >= height) return;
  Window w;
  for (int y = max(p.y - 1, 0); y <= min(p.y + 1, height - 1); y++)
    for (int x = max(p.x - 1, 0); x <= min(p.x + 1, width - 1); x++) w.add(in[y * width + x]);
  p.value = w.mean();
  out[p.y * width + p.x] = p.value;
}
// expects: mean3 clean 3000
// stepping: mean3 refused the call of 'Window' cannot be recorded on a GPU
