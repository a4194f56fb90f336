#pragma once
#include <cstdio>
#include <vector>
inline void show(const Field& field) {
  std::vector<float> host(field.size);
  cudaMemcpy(host.data(), field.data, field.size * sizeof(float), cudaMemcpyDeviceToHost);
  int zeros = 0;
  for (int i = 0; i < 3; ++i) zeros += host[i] == 0;
  printf("%d of %d\n", zeros, field.size);
}
