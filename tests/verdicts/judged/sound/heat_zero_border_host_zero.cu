// 2D heat equation: explicit Euler, fixed temperatures at the border, two buffers that are exchanged after each step.
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

using real = double;

__global__ void heat_step(const real* u, real* u_new, int nx, int ny, real rx, real ry) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i > 0 && i < nx - 1 && j > 0 && j < ny - 1) {
        int id = j * nx + i;
        u_new[id] = u[id] + rx * (u[id - 1] - 2.0 * u[id] + u[id + 1])
                          + ry * (u[id - nx] - 2.0 * u[id] + u[id + nx]);
    }
}

static void heat_cpu(std::vector<real>& u, int nx, int ny, real rx, real ry, int steps) {
    std::vector<real> v(u.size(), 0.0);
    for (int s = 0; s < steps; ++s) {
        for (int j = 1; j < ny - 1; ++j)
            for (int i = 1; i < nx - 1; ++i)
                v[j * nx + i] = u[j * nx + i] + rx * (u[j * nx + i - 1] - 2.0 * u[j * nx + i] + u[j * nx + i + 1])
                              + ry * (u[(j - 1) * nx + i] - 2.0 * u[j * nx + i] + u[(j + 1) * nx + i]);
        std::swap(u, v);
    }
}

int main() {
    const int nx = 48, ny = 35, steps = 15;
    const real dx = 1.0 / (nx - 1), dy = 1.0 / (ny - 1), dt = 0.2 * std::min(dx * dx, dy * dy);
    const real rx = dt / (dx * dx), ry = dt / (dy * dy);
    std::vector<real> u(nx * ny, 0.0), result(nx * ny);
    for (int j = 0; j < ny; ++j) {
        for (int i = 0; i < nx; ++i) {
            const real x = i * dx - 0.4, y = j * dy - 0.6;
            if (i == 0 || j == 0 || i == nx - 1 || j == ny - 1) continue;
            u[j * nx + i] = std::exp(-20.0 * (x * x + y * y)) + 0.1 * i * dx;
        }
    }

    real *d_u, *d_new;
    const size_t bytes = sizeof(real) * nx * ny;
    cudaMalloc((void**)&d_u, bytes);
    cudaMalloc((void**)&d_new, bytes);
    cudaMemcpy(d_u, u.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_new, u.data(), bytes, cudaMemcpyHostToDevice);

    dim3 threads(16, 8);
    dim3 blocks((nx + threads.x - 1) / threads.x, (ny + threads.y - 1) / threads.y);
    for (int s = 0; s < steps; ++s) {
        heat_step<<<blocks, threads>>>(d_u, d_new, nx, ny, rx, ry);
        std::swap(d_u, d_new);
    }
    cudaMemcpy(result.data(), d_u, bytes, cudaMemcpyDeviceToHost);

    heat_cpu(u, nx, ny, rx, ry, steps);
    real worst = 0.0;
    for (int n = 0; n < nx * ny; ++n) worst = std::max(worst, std::abs(result[n] - u[n]));
    std::printf("max error after %d steps: %.3e\n", steps, worst);
    cudaFree(d_u);
    cudaFree(d_new);
    if (worst > 1e-9) {
        std::printf("FAIL\n");
        return 1;
    }
    std::printf("OK\n");
    return 0;
}
