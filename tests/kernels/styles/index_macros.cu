// Indices, minima and whole accesses written as macros.
#define IDX(x, y) ((y) * nx + (x))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define CLAMP(v, lo, hi) MIN(MAX(v, lo), hi)
#define IN(x, y) in[IDX(CLAMP(x, 0, nx - 1), CLAMP(y, 0, ny - 1))]
#define TAP(w, x, y) sum += (w) * IN(x, y)
#define FOR(v, from, to) for (int v = (from); v < (to); ++v)
#define CHECK_RANGE do { if (x >= nx || y >= ny) return; } while (0)
#define SWAP(T, a, b) { T t = a; a = b; b = t; }
__global__ void macros(const float* in, float* out, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  CHECK_RANGE;
  float sum = 0.0f;
  TAP(0.5f, x, y); TAP(0.125f, x - 1, y); TAP(0.125f, x + 1, y);
  TAP(0.125f, x, y - 1);
  TAP(0.125f, x, y + 1);
  float low = MIN(IN(x, y), IN(x + 1, y)), high = MAX(IN(x, y), IN(x + 1, y));
  SWAP(float, low, high)
  FOR(k, 0, 3) sum += k * (low - high);
  out[IDX(x, y)] = sum;
}
int main() {
  int nx = 20, ny = 12;
  float *a, *b;
  cudaMalloc(&a, nx * ny * sizeof(float));
  cudaMalloc(&b, nx * ny * sizeof(float));
  macros<<<dim3(2, 2), dim3(16, 8)>>>(a, b, nx, ny);
}
// expects: macros clean 240
