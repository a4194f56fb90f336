// A convolution that takes its image's size and its filter as structs, and a sweep with the grid in an int3.
struct Image { int width, height; };
struct Filter { float w[9]; };

__device__ float at(const float* in, const Image& image, int x, int y) {
  if (x < 0 || y < 0 || x >= image.width || y >= image.height) return 0.0f;
  return in[y * image.width + x];
}

__global__ void convolve(const float* in, float* out, Image image, Filter filter) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= image.width || y >= image.height) return;
  float sum = 0.0f;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) sum += filter.w[(dy + 1) * 3 + dx + 1] * at(in, image, x + dx, y + dy);
  out[y * image.width + x] = sum;
}

struct Coefficients { float centre, side; };

__global__ void sweep(const float* in, float* out, int3 n, Coefficients c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || j < 1 || i >= n.x - 1 || j >= n.y - 1) return;
  for (int k = 1; k < n.z - 1; ++k) {
    int at = (k * n.y + j) * n.x + i;
    out[at] = c.centre * in[at] + c.side * (in[at - 1] + in[at + 1] + in[at - n.x] + in[at + n.x] +
                                            in[at - n.x * n.y] + in[at + n.x * n.y]);
  }
}

int main() {
  Image image = {60, 44};
  Filter filter{};
  float *a, *b;
  cudaMalloc(&a, image.width * image.height * sizeof(float));
  cudaMalloc(&b, image.width * image.height * sizeof(float));
  dim3 block(16, 16);
  dim3 grid((image.width + block.x - 1) / 16, (image.height + 15) / 16);
  convolve<<<grid, block>>>(a, b, image, filter);
  float *c, *d;
  cudaMalloc(&c, 24 * 22 * 20 * sizeof(float));
  cudaMalloc(&d, 24 * 22 * 20 * sizeof(float));
  sweep<<<dim3(2, 3), dim3(16, 8)>>>(c, d, make_int3(24, 22, 20), Coefficients{0.4f, 0.1f});
}
// expects: convolve matches
// expects: sweep clean 7000
