// expects: unsupported
// expects: says cuInit (CUDA's driver API) is not supported.
#include <cuda.h>

int main() {
  cuInit(0);  // ends here
  CUdevice device;
  return cuDeviceGet(&device, 0);
}
