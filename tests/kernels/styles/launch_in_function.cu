// expects: blur clean 7400
// launch: blur 7,5,1 16,16,1 0
// sizes: blur width=100 height=75
#include <cstdio>
#include <cstdlib>

__global__ void blur(unsigned char* out, const unsigned char* in, int width, int height) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col < width && row < height) {
    int sum = 0, n = 0;
    for (int dr = -1; dr <= 1; ++dr) {
      for (int dc = -1; dc <= 1; ++dc) {
        int r = row + dr, c = col + dc;
        if (r >= 0 && r < height && c >= 0 && c < width) {
          sum += in[r * width + c];
          ++n;
        }
      }
    }
    out[row * width + col] = (unsigned char)(sum / n);
  }
}

static void launchBlur(unsigned char* target, const unsigned char* source, int columns, int rows, int edge) {
  dim3 threads(edge, edge, 1);
  dim3 blocks((columns + edge - 1) / edge, (rows + edge - 1) / edge, 1);
  blur<<<blocks, threads>>>(target, source, columns, rows);
}

int main(void) {
  const int W = 100, H = 75;
  unsigned char *d_src, *d_dst;
  cudaMalloc((void**)&d_src, W * H);
  cudaMalloc((void**)&d_dst, W * H);
  launchBlur(d_dst, d_src, W, H, 16);
  cudaDeviceSynchronize();
  return 0;
}
