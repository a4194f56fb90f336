#include <cstdio>
#include <cstdlib>
#include <cmath>
#define CHECK(c) do { cudaError_t e = (c); if (e != cudaSuccess) { fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); exit(1); } } while (0)
__global__ void heat(const float* u, float* un, int nx, int ny, float c)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1) {
        int i = y * nx + x;
        un[i] = u[i] + c * (u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] - 4 * u[i]);
    }
}
void heat_host(const float* u, float* un, int nx, int ny, float c)
{
    for (int y = 1; y < ny - 1; y++)
        for (int x = 1; x < nx - 1; x++) {
            int i = y * nx + x;
            un[i] = u[i] + c * (u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] - 4 * u[i]);
        }
}
int main()
{
    const int nx = 101, ny = 77, steps = 20;
    size_t bytes = nx * ny * sizeof(float);
    float *h = (float*)malloc(bytes), *r0 = (float*)malloc(bytes), *r1 = (float*)malloc(bytes);
    for (int i = 0; i < nx * ny; i++) h[i] = r0[i] = r1[i] = rand() / (float)RAND_MAX;
    float *a, *b;
    CHECK(cudaMalloc(&a, bytes)); CHECK(cudaMalloc(&b, bytes));
    CHECK(cudaMemcpy(a, h, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b, h, bytes, cudaMemcpyHostToDevice));
    dim3 block(32, 8), grid((nx + 31) / 32, (ny + 7) / 8);
    for (int s = 0; s < steps; s++) {
        heat<<<grid, block>>>(a, b, nx, ny, 0.2f);
        CHECK(cudaGetLastError());
        float* t = a; a = b; b = t;
        heat_host(r0, r1, nx, ny, 0.2f);
        t = r0; r0 = r1; r1 = t;
    }
    CHECK(cudaMemcpy(h, a, bytes, cudaMemcpyDeviceToHost));
    double err = 0;
    for (int i = 0; i < nx * ny; i++) err = fmax(err, fabs(h[i] - r0[i]));
    printf("max error %g\n", err);
    CHECK(cudaFree(a)); CHECK(cudaFree(b));
    free(h); free(r0); free(r1);
    return err < 1e-5 ? 0 : 1;
}
