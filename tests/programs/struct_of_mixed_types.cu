// expects: exited 0
// expects: launches 2
// expects: prints largest error 0
#include <cmath>
#include <cstdio>
#include <vector>

struct Cell {
  float a;
  int count;
  double c;
};

__constant__ Cell scale[2] = {{2.0f, 1, 0.5}, {3.0f, 2, 0.25}};

__global__ void relax(const Cell* in, Cell* out, int n) {
  __shared__ Cell tile[66];
  int i = blockIdx.x * 64 + threadIdx.x;
  int s = threadIdx.x + 1;
  Cell mine = i < n ? in[i] : Cell{0.0f, 0, 0.0};
  tile[s] = mine;
  if (threadIdx.x == 0) tile[0] = i > 0 ? in[i - 1] : mine;
  if (threadIdx.x == 63) tile[65] = i + 1 < n ? in[i + 1] : mine;
  __syncthreads();
  if (i >= n) return;
  Cell own[2] = {tile[s - 1], tile[s + 1]};
  out[i].a = scale[i % 2].a * (own[0].a + own[1].a);
  out[i].count = own[i % 2].count + scale[1].count;
  out[i].c = scale[0].c * tile[s].c;
}

__global__ void race(Cell* cells) {
  int t = threadIdx.x;
  cells[t].count = t;
  cells[t].a += cells[(t + 1) % 64].c > 0 ? 1.0f : 2.0f;
}

int main() {
  const int n = 256;
  std::vector<Cell> in(n), out(n);
  for (int i = 0; i < n; ++i) in[i] = {i * 0.5f, i, i * 0.25};
  Cell *a, *b;
  cudaMalloc(&a, n * sizeof(Cell));
  cudaMalloc(&b, n * sizeof(Cell));
  cudaMemcpy(a, in.data(), n * sizeof(Cell), cudaMemcpyHostToDevice);
  relax<<<(n + 63) / 64, 64>>>(a, b, n);
  cudaMemcpy(out.data(), b, n * sizeof(Cell), cudaMemcpyDeviceToHost);
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    const Cell& left = in[i > 0 ? i - 1 : i];
    const Cell& right = in[i + 1 < n ? i + 1 : i];
    worst = std::fmax(worst, std::fabs(out[i].a - (i % 2 ? 3.0f : 2.0f) * (left.a + right.a)));
    worst = std::fmax(worst, std::abs(out[i].count - ((i % 2 ? right : left).count + 2)));
    worst = std::fmax(worst, std::fabs(out[i].c - 0.5 * in[i].c));
  }
  printf("largest error %g\n", worst);
  race<<<1, 64>>>(b);  // each member is a word of its own: no race
  cudaFree(a);
  cudaFree(b);
}
