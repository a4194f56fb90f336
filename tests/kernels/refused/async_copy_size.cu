#include <cuda_pipeline.h>
__global__ void k(const float* in) {
  __shared__ float tile[32];
  __pipeline_memcpy_async(&tile[3], &in[0], 12);
}
// error 4:45: an asynchronous copy is of 4, 8 or 16 bytes
