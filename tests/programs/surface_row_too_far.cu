// expects: exited 1
// expects: launches 1
#include <cstdio>
#include <vector>

const int W = 40, H = 24;

__global__ void addRowAbove(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float v;
  surf2Dread(&v, from, x * sizeof(float), y);
  float above = surf2Dread<float>(from, x * sizeof(float), y - 1, cudaBoundaryModeZero);
  surf2Dwrite(v + above, to, x * sizeof(float), y + 1);  // finds: out-of-bounds
}

int main() {
  std::vector<float> in(W * H), out(W * H);
  for (int i = 0; i < W * H; i++) in[i] = (float)(i % 29);
  cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaArray_t arrays[2];
  cudaSurfaceObject_t surfaces[2];
  for (int i = 0; i < 2; i++) {
    cudaMallocArray(&arrays[i], &format, W, H, cudaArraySurfaceLoadStore);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = arrays[i];
    cudaCreateSurfaceObject(&surfaces[i], &resource);
  }
  cudaMemcpy2DToArray(arrays[0], 0, 0, in.data(), W * sizeof(float), W * sizeof(float), H, cudaMemcpyHostToDevice);
  addRowAbove<<<dim3(2, 3), dim3(32, 8)>>>(surfaces[0], surfaces[1], W, H);
  cudaMemcpy2DFromArray(out.data(), W * sizeof(float), arrays[1], 0, 0, W * sizeof(float), H, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) wrong += out[y * W + x] != in[y * W + x] + (y > 0 ? in[(y - 1) * W + x] : 0.0f);
  printf("wrong: %d\n", wrong);
  for (int i = 0; i < 2; i++) {
    cudaDestroySurfaceObject(surfaces[i]);
    cudaFreeArray(arrays[i]);
  }
  return wrong != 0;
}
