#include <cuda_pipeline.h>
__global__ void k(const float* in, float* out) {
  __pipeline_memcpy_async(&out[threadIdx.x], &in[threadIdx.x], 4);
}
// error 3:27: unsupported: asynchronous copy to 'out', which is not in shared memory
