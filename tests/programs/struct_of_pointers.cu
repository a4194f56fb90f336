// expects: exited 0
// expects: launches 2
// expects: prints divergence ok
#include <cmath>
#include <cstdio>
#include <vector>

struct VectorField {
  float* x;
  float* y;
  int width, height;
};

struct Task {
  VectorField field;
  float* result;
  float scale;
};

__global__ void divergence(Task task) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  const VectorField& f = task.field;
  if (i < 1 || j < 1 || i >= f.width - 1 || j >= f.height - 1) return;
  const int p = j * f.width + i;
  task.result[p] = task.scale * (f.x[p + 1] - f.x[p - 1] + f.y[p + f.width] - f.y[p - f.width]);
}

int main() {
  const int w = 30, h = 22;
  std::vector<float> x(w * h), y(w * h), r(w * h, 0.0f);
  for (int j = 0; j < h; ++j)
    for (int i = 0; i < w; ++i) x[j * w + i] = 3.0f * i, y[j * w + i] = -2.0f * j;
  Task task{{nullptr, nullptr, w, h}, nullptr, 0.5f};
  const size_t bytes = w * h * sizeof(float);
  for (float** one : {&task.field.x, &task.field.y, &task.result}) cudaMalloc(one, bytes);
  cudaMemcpy(task.field.x, x.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(task.field.y, y.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemset(task.result, 0, bytes);
  const dim3 block(8, 8), grid((w + 7) / 8, (h + 7) / 8);
  divergence<<<grid, block>>>(task);
  void* arguments[] = {&task};
  cudaLaunchKernel((void*)divergence, grid, block, arguments, 0, nullptr);
  cudaMemcpy(r.data(), task.result, bytes, cudaMemcpyDeviceToHost);
  bool ok = true;
  for (int j = 1; j < h - 1; ++j)
    for (int i = 1; i < w - 1; ++i) ok = ok && std::fabs(r[j * w + i] - 1.0f) < 1e-5f;
  printf("divergence %s\n", ok ? "ok" : "wrong");
  for (float* one : {task.field.x, task.field.y, task.result}) cudaFree(one);
  return !ok;
}
