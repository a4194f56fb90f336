// expects: exited 0
// expects: launches 10
// The kernel writes a column that the function leaves as it is.
#include <cuda_runtime.h>

#include <cmath>
#include <iostream>
#include <utility>
#include <vector>

template <typename Real>
__global__ void heatKernel(const Real* u, Real* next, int nx, int ny, Real ax, Real ay) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= 0 && i < nx - 1 && j > 0 && j < ny - 1) {
        int at = j * nx + i;
        next[at] = u[at] + ax * (u[at + 1] - 2 * u[at] + u[at - 1]) + ay * (u[at + nx] - 2 * u[at] + u[at - nx]);  // finds: wrong-result
    }
}

// All steps at once, in place.
template <typename Real>
void heatReference(std::vector<Real>& u, int nx, int ny, Real ax, Real ay, int steps) {
    std::vector<Real> next = u;
    for (int s = 0; s < steps; ++s) {
        for (int j = 1; j < ny - 1; ++j)
            for (int i = 1; i < nx - 1; ++i) {
                int at = j * nx + i;
                next[at] = u[at] + ax * (u[at + 1] - 2 * u[at] + u[at - 1]) + ay * (u[at + nx] - 2 * u[at] + u[at - nx]);
            }
        std::swap(u, next);
    }
}

int main() {
    using Real = double;
    const int nx = 70, ny = 40, steps = 10;
    std::vector<Real> h(nx * ny, 0);
    for (int at = 0; at < nx * ny; ++at) h[at] = std::sin(0.3 * (at % nx)) * std::cos(0.2 * (at / nx));
    std::vector<Real> ref = h, result(nx * ny);
    Real *a, *b;
    cudaMalloc(&a, h.size() * sizeof(Real));
    cudaMalloc(&b, h.size() * sizeof(Real));
    cudaMemcpy(a, h.data(), h.size() * sizeof(Real), cudaMemcpyHostToDevice);
    cudaMemcpy(b, h.data(), h.size() * sizeof(Real), cudaMemcpyHostToDevice);
    dim3 block(16, 16), grid((nx + 15) / 16, (ny + 15) / 16);
    for (int s = 0; s < steps; ++s) {
        heatKernel<Real><<<grid, block>>>(a, b, nx, ny, 0.1, 0.1);
        std::swap(a, b);
    }
    cudaMemcpy(result.data(), a, h.size() * sizeof(Real), cudaMemcpyDeviceToHost);
    heatReference<Real>(ref, nx, ny, 0.1, 0.1, steps);
    std::cout << result[ny / 2 * nx + nx / 2] << " " << ref[ny / 2 * nx + nx / 2] << std::endl;
    cudaFree(a);
    cudaFree(b);
}
