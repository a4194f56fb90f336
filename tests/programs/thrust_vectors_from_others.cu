// expects: exited 0
// expects: launches 2
// Arrays that are made from others belong to the line of their declaration.
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

#include <cstdio>

__global__ void twice(const float* src, float* dst, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) dst[i] = 2 * src[i];
}

int main() {
  const int n = 512;
  thrust::host_vector<float> host(n), w(5, 1.0f);
  for (int i = 0; i < n; ++i) host[i] = i;
  for (int k = 0; k < 5; ++k) w[k] = w[k] / 5;
  thrust::device_vector<float> source = host, weights = w, target(n);  // allocates: source weights target

  thrust::device_vector<float> third = target;  // allocates: third
  float* p = thrust::raw_pointer_cast(&source[0]);
  twice<<<4, 128>>>(p, thrust::raw_pointer_cast(target.data()), n);
  twice<<<4, 128>>>(p, third.data().get(), n);
  thrust::host_vector<float> out = target;
  printf("%f\n", out[7]);
  out = third;
  printf("%f\n", out[7] + weights[0]);
}
