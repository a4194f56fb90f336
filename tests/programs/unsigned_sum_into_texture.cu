// expects: exited 0
// expects: launches 1
// A small negative number is added to an unsigned one: at 0 the coordinate is 4294967296, which is clamped to the end.
#include <cstdio>

__global__ void left_of(cudaTextureObject_t t, float* out, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex2D<float>(t, i + -1, 0);  // finds: unsigned-wrap
}

int main() {
  const int n = 64;
  float h[n], *d, *out;
  for (int i = 0; i < n; i++) h[i] = i;
  size_t pitch;
  cudaMallocPitch(&d, &pitch, n * sizeof(float), 1);
  cudaMalloc(&out, sizeof h);
  cudaMemcpy2D(d, pitch, h, sizeof h, sizeof h, 1, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {d, cudaCreateChannelDesc<float>(), n, 1, pitch};
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t t;
  cudaCreateTextureObject(&t, &resource, &description, nullptr);
  left_of<<<1, n>>>(t, out, n);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%f\n", h[1]);
  cudaDestroyTextureObject(t);
  cudaFree(d);
  cudaFree(out);
}
