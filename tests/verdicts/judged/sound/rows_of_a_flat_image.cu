#include <cstdio>
#include <vector>
#include <cmath>
// the rows of an image in one long array, one thread per pixel of a one-dimensional grid
#define MASK 5
__constant__ float maske[MASK];
__global__ void filtre_lignes(const float* entree, float* sortie, int longueur, int nombre)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= longueur * nombre) return;
    int col = t % longueur;
    float s = 0;
    for (int k = 0; k < MASK; ++k) {
        int c = col + k - MASK / 2;
        if (c >= 0 && c < longueur) s += maske[k] * entree[t + k - MASK / 2];
    }
    sortie[t] = s;
}
int main()
{
    const int lo = 60, no = 40;
    std::vector<float> a(lo * no), b(lo * no);
    for (int i = 0; i < lo * no; ++i) a[i] = std::cos(i * 0.3f);
    float m[MASK] = {0.1f, 0.2f, 0.35f, 0.22f, 0.13f};
    float *d, *e;
    cudaMalloc(&d, lo * no * sizeof(float));
    cudaMalloc(&e, lo * no * sizeof(float));
    cudaMemcpyToSymbol(maske, m, sizeof m);
    cudaMemcpy(d, a.data(), lo * no * sizeof(float), cudaMemcpyHostToDevice);
    filtre_lignes<<<(lo * no + 255) / 256, 256>>>(d, e, lo, no);
    cudaMemcpy(b.data(), e, lo * no * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 5; ++i) printf("%f\n", b[i]);
    cudaFree(d);
    cudaFree(e);
}
