// expects: exited 0
// expects: launches 1
// expects: prints wrong: 0
#include <cuda.h>
#include <cuda/barrier>
#include <stdio.h>
#include <stdlib.h>

#define WIDTH 100  // a multiple of 4: rows begin at multiples of 16 bytes
#define HEIGHT 37
#define TILE_X 32
#define TILE_Y 8
#define EDGE 4  // columns before the tile: a box begins at a multiple of 16 bytes
#define BOX_X (TILE_X + 2 * EDGE)
#define BOX_Y (TILE_Y + 2)

namespace cde = cuda::device::experimental;
using barrier = cuda::barrier<cuda::thread_scope_block>;

// The sum of a cell and its four neighbours; what is outside of the image is zero.
__global__ void cross(const __grid_constant__ CUtensorMap map, float *out) {
  __shared__ alignas(128) float tile[BOX_Y][BOX_X];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier arrived;
  int x = blockIdx.x * TILE_X + threadIdx.x, y = blockIdx.y * TILE_Y + threadIdx.y;
  bool first = threadIdx.x == 0 && threadIdx.y == 0;
  if (first) {
    init(&arrived, TILE_X * TILE_Y);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  barrier::arrival_token token;
  if (first) {
    cde::cp_async_bulk_tensor_2d_global_to_shared(&tile, &map, blockIdx.x * TILE_X - EDGE, blockIdx.y * TILE_Y - 1, arrived);
    token = cuda::device::barrier_arrive_tx(arrived, 1, sizeof(tile));
  } else {
    token = arrived.arrive();
  }
  arrived.wait(std::move(token));
  int i = threadIdx.x + EDGE, j = threadIdx.y + 1;
  if (x < WIDTH && y < HEIGHT)
    out[y * WIDTH + x] = tile[j][i] + tile[j - 1][i] + tile[j + 1][i] + tile[j][i - 1] + tile[j][i + 1];
}

int main() {
  size_t bytes = WIDTH * HEIGHT * sizeof(float);
  float *in = (float *)malloc(bytes), *out = (float *)malloc(bytes);
  for (int i = 0; i < WIDTH * HEIGHT; i++) in[i] = (float)(i * 7 % 11);
  float *d_in, *d_out;
  cudaMalloc(&d_in, bytes);
  cudaMalloc(&d_out, bytes);
  cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice);

  void *entry = nullptr;
  cudaDriverEntryPointQueryResult found;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found);
  auto encode = (decltype(&cuTensorMapEncodeTiled))entry;
  CUtensorMap map;
  cuuint64_t sizes[2] = {WIDTH, HEIGHT}, strides[1] = {WIDTH * sizeof(float)};
  cuuint32_t box[2] = {BOX_X, BOX_Y}, steps[2] = {1, 1};
  CUresult made = encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, d_in, sizes, strides, box, steps,
                         CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                         CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (made != CUDA_SUCCESS) {
    printf("no map: %d\n", (int)made);
    return 1;
  }
  dim3 block(TILE_X, TILE_Y), grid((WIDTH + TILE_X - 1) / TILE_X, (HEIGHT + TILE_Y - 1) / TILE_Y);
  cross<<<grid, block>>>(map, d_out);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int y = 0; y < HEIGHT; y++) {
    for (int x = 0; x < WIDTH; x++) {
      float sum = in[y * WIDTH + x];
      if (y > 0) sum += in[(y - 1) * WIDTH + x];
      if (y + 1 < HEIGHT) sum += in[(y + 1) * WIDTH + x];
      if (x > 0) sum += in[y * WIDTH + x - 1];
      if (x + 1 < WIDTH) sum += in[y * WIDTH + x + 1];
      wrong += sum != out[y * WIDTH + x];
    }
  }
  printf("wrong: %d\n", wrong);
  cudaFree(d_in);
  cudaFree(d_out);
  free(in);
  free(out);
  return wrong != 0;
}
