// Pictures of bytes: narrow integers in memory and in registers.
__global__ void blur(const unsigned char* in, unsigned char* out, int w, int h) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= w || row >= h) return;
  int pixels = 0;
  unsigned int value = 0;
  short lowest = 255;
  signed char difference = 0;
  unsigned char histogram[4] = {0, 0, 0, 0};
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      const int r = row + dy, c = col + dx;
      if (r < 0 || r >= h || c < 0 || c >= w) continue;
      unsigned char one = in[r * w + c];
      value += one;
      lowest = one < lowest ? one : lowest;
      difference -= one;
      histogram[one >> 6]++;
      histogram[0] += 200;
      ++pixels;
    }
  }
  bool bright = value > 100u * pixels;
  out[row * w + col] = (unsigned char)(value / pixels) + bright + (histogram[0] & 1) - (difference > 0) + 0 * lowest;
}
int main() {
  int w = 40, h = 10;
  unsigned char *a, *b;
  cudaMalloc(&a, w * h);
  cudaMalloc(&b, w * h);
  blur<<<dim3(2, 2), dim3(32, 8)>>>(a, b, w, h);
}
// expects: blur clean 300
