// expects: exited 0
// expects: launches 6
// expects: prints passed
#include <cmath>
#include <cstdio>
#include <vector>

#include "solver.h"

// The same step on the host.
void stepOnHost(const std::vector<float>& u, std::vector<float>& v, int nx, int ny, float alpha) {
  for (int y = 1; y < ny - 1; ++y)
    for (int x = 1; x < nx - 1; ++x) {
      const int i = y * nx + x;
      v[i] = u[i] + alpha * (u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] - 4 * u[i]);
    }
}

int main() {
  const int nx = 40, ny = 33;
  std::vector<float> u(nx * ny, 0.0f), v;
  u[ny / 2 * nx + nx / 2] = 100.0f;
  HeatSolver solver(nx, ny, 0.2f);
  solver.set(u);
  solver.advance(6);
  const std::vector<float> result = solver.get();
  v = u;
  for (int s = 0; s < 6; ++s) {
    stepOnHost(u, v, nx, ny, 0.2f);
    std::swap(u, v);
  }
  float largest = 0;
  for (int i = 0; i < nx * ny; ++i) largest = std::fmax(largest, std::fabs(result[i] - u[i]));
  std::puts(largest < 1e-4f ? "passed" : "FAILED");
}
