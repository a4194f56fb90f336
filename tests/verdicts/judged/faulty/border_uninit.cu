#include <cstdio>
#include <cstdlib>
#include <cmath>

__global__ void heat(const float* u, float* v, int nx, int ny)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1) v[y * nx + x] = u[y * nx + x] + 0.2f * (u[y * nx + x - 1] + u[y * nx + x + 1] + u[(y - 1) * nx + x] + u[(y + 1) * nx + x] - 4 * u[y * nx + x]);
}
int main()
{
    int nx = 40, ny = 30, n = nx * ny; float *h = new float[n], *a, *b;
    for (int i = 0; i < n; i++) h[i] = i % 13;
    cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMemcpy(a, h, n * 4, cudaMemcpyHostToDevice);
    for (int s = 0; s < 4; s++) { heat<<<dim3(3, 2), dim3(16, 16)>>>(a, b, nx, ny); float* t = a; a = b; b = t; }
    cudaMemcpy(h, a, n * 4, cudaMemcpyDeviceToHost); printf("%f\n", h[nx + 1]); cudaFree(a); cudaFree(b); delete[] h;
}
