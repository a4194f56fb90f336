#include <cstdio>
#include <vector>
#include <cmath>
const int NX = 60, NY = 50;
// Ez: NX x NY, Hx: NX x (NY-1), Hy: (NX-1) x NY
__global__ void upH(const float* Ez, float* Hx, float* Hy)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < NX && j < NY - 1) Hx[j * NX + i] -= 0.5f * (Ez[(j + 1) * NX + i] - Ez[j * NX + i]);
    if (i < NX - 1 && j < NY) Hy[j * (NX - 1) + i] += 0.5f * (Ez[j * NX + i + 1] - Ez[j * NX + i]);
}
__global__ void upE(float* Ez, const float* Hx, const float* Hy, float src)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i > 0 && j > 0 && i < NX - 1 && j < NY - 1) {
        float e = Ez[j * NX + i] + 0.5f * (Hy[j * (NX - 1) + i] - Hy[j * (NX - 1) + i - 1] - Hx[j * NX + i] + Hx[(j - 1) * NX + i]);
        if (i == NX / 2 && j == NY / 2) e += src;
        Ez[j * NX + i] = e;
    }
}
int main()
{
    float *ez, *hx, *hy;
    cudaMalloc(&ez, NX * NY * 4); cudaMalloc(&hx, NX * (NY - 1) * 4); cudaMalloc(&hy, (NX - 1) * NY * 4);
    cudaMemset(ez, 0, NX * NY * 4); cudaMemset(hx, 0, NX * (NY - 1) * 4); cudaMemset(hy, 0, (NX - 1) * NY * 4);
    dim3 b(16, 16), g((NX + 15) / 16, (NY + 15) / 16);
    std::vector<float> h(NX * NY);
    for (int t = 0; t < 40; t++) {
        upH<<<g, b>>>(ez, hx, hy);
        upE<<<g, b>>>(ez, hx, hy, expf(-(t - 15) * (t - 15) / 30.f));
        if (t % 10 == 9) {
            cudaMemcpy(h.data(), ez, NX * NY * 4, cudaMemcpyDeviceToHost);
            float m = 0;
            for (float v : h) m = fmaxf(m, fabsf(v));
            printf("t %d max %f\n", t, m);
        }
    }
    cudaFree(ez); cudaFree(hx); cudaFree(hy);
}
