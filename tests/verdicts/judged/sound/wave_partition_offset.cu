// two "subdomains" on one device, halo rows exchanged by device-to-device copies, pointers passed with an offset
#include <cstdio>
#include <vector>
#include <cmath>
__global__ void wave(const float* um, const float* u, float* up, int nx, int rows, float k)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || x >= nx - 1 || y >= rows) return;
    int c = y * nx + x;
    up[c] = 2 * u[c] - um[c] + k * (u[c - 1] + u[c + 1] + u[c - nx] + u[c + nx] - 4 * u[c]);
}
int main()
{
    const int nx = 50, ny = 40, half = ny / 2, steps = 12;
    size_t bytes = (half + 2) * nx * sizeof(float);
    std::vector<float> init(ny * nx, 0.f), ref0(init), ref1(init), ref2(init);
    for (int y = 0; y < ny; y++) for (int x = 0; x < nx; x++) if (x > 0 && x < nx - 1) init[y * nx + x] = expf(-0.05f * ((x - 20) * (x - 20) + (y - 18) * (y - 18)));
    float* d[2][3];
    for (int p = 0; p < 2; p++)
        for (int k = 0; k < 3; k++) { cudaMalloc(&d[p][k], bytes); cudaMemset(d[p][k], 0, bytes); }
    for (int p = 0; p < 2; p++)
        for (int k = 0; k < 2; k++) cudaMemcpy(d[p][k] + nx, init.data() + p * half * nx, half * nx * sizeof(float), cudaMemcpyHostToDevice);
    dim3 b(32, 4), g((nx + 31) / 32, (half + 3) / 4);
    for (int s = 0; s < steps; s++) {
        cudaMemcpy(d[0][1] + (half + 1) * nx, d[1][1] + nx, nx * sizeof(float), cudaMemcpyDeviceToDevice);
        cudaMemcpy(d[1][1], d[0][1] + half * nx, nx * sizeof(float), cudaMemcpyDeviceToDevice);
        for (int p = 0; p < 2; p++) {
            wave<<<g, b>>>(d[p][0] + nx, d[p][1] + nx, d[p][2] + nx, nx, half, 0.2f);
            float* t = d[p][0]; d[p][0] = d[p][1]; d[p][1] = d[p][2]; d[p][2] = t;
        }
    }
    std::vector<float> out(ny * nx);
    for (int p = 0; p < 2; p++) cudaMemcpy(out.data() + p * half * nx, d[p][1] + nx, half * nx * sizeof(float), cudaMemcpyDeviceToHost);
    ref0 = init; ref1 = init;
    auto at = [&](const std::vector<float>& u, int y, int x) { return y < 0 || y >= ny ? 0.f : u[y * nx + x]; };
    for (int s = 0; s < steps; s++) {
        for (int y = 0; y < ny; y++)
            for (int x = 1; x < nx - 1; x++)
                ref2[y * nx + x] = 2 * ref1[y * nx + x] - ref0[y * nx + x] + 0.2f * (at(ref1, y, x - 1) + at(ref1, y, x + 1) + at(ref1, y - 1, x) + at(ref1, y + 1, x) - 4 * ref1[y * nx + x]);
        std::swap(ref0, ref1); std::swap(ref1, ref2);
    }
    float e = 0;
    for (int i = 0; i < nx * ny; i++) e = fmaxf(e, fabsf(out[i] - ref1[i]));
    printf("max |diff| = %g\n", e);
    for (auto& p : d) for (float* q : p) cudaFree(q);
    return e > 1e-4f;
}
