#include "field.h"

#include <cuda_runtime.h>

#include <utility>

Field::Field(int width, int height) : width_(width), height_(height) {
  cudaMalloc(&device_, sizeof(float) * width * height);
  cudaMemset(device_, 0, sizeof(float) * width * height);
}

Field::~Field() { cudaFree(device_); }

void Field::poke(int x, int y, float value) {
  cudaMemcpy(device_ + y * width_ + x, &value, sizeof value, cudaMemcpyHostToDevice);
}

float Field::energy() const {
  std::vector<float> host(width_ * height_);
  cudaMemcpy(host.data(), device_, host.size() * sizeof(float), cudaMemcpyDeviceToHost);
  float sum = 0;
  for (float one : host) sum += one * one;
  return sum;
}

void Field::swapWith(float*& other) { std::swap(device_, other); }
