#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#define RADIUS 4
#define BX 32
#define BY 8

__constant__ float c_kern[2 * RADIUS + 1];

__global__ void zeilen(float* ziel, const float* quelle, int breite, int hoehe)
{
    __shared__ float s[BY][BX + 2 * RADIUS];
    const int x0 = blockIdx.x * BX - RADIUS;
    const int y = blockIdx.y * BY + threadIdx.y;
    for (int i = threadIdx.x; i < BX + 2 * RADIUS; i += BX) {
        const int x = x0 + i;
        s[threadIdx.y][i] = (y < hoehe && x >= 0 && x < breite) ? quelle[y * breite + x] : 0.f;
    }
    __syncthreads();
    const int x = blockIdx.x * BX + threadIdx.x;
    if (x >= breite || y >= hoehe) return;
    float summe = 0.f;
    for (int k = -RADIUS; k <= RADIUS; k++) summe += c_kern[RADIUS - k] * s[threadIdx.y][threadIdx.x + RADIUS + k];
    ziel[y * breite + x] = summe;
}

__global__ void spalten(float* ziel, const float* quelle, int breite, int hoehe)
{
    __shared__ float s[BY + 2 * RADIUS][BX];
    const int x = blockIdx.x * BX + threadIdx.x;
    const int y0 = blockIdx.y * BY - RADIUS;
    for (int i = threadIdx.y; i < BY + 2 * RADIUS; i += BY) {
        const int y = y0 + i;
        s[i][threadIdx.x] = (x < breite && y >= 0 && y < hoehe) ? quelle[y * breite + x] : 0.f;
    }
    __syncthreads();
    const int y = blockIdx.y * BY + threadIdx.y;
    if (x >= breite || y >= hoehe) return;
    float summe = 0.f;
    for (int k = -RADIUS; k <= RADIUS; k++) summe += c_kern[RADIUS - k] * s[threadIdx.y + RADIUS + k][threadIdx.x];
    ziel[y * breite + x] = summe;
}

static void aufCpu(float* ziel, const float* quelle, const float* kern, int breite, int hoehe)
{
    float* zwischen = new float[breite * hoehe];
    for (int y = 0; y < hoehe; y++)
        for (int x = 0; x < breite; x++) {
            float s = 0;
            for (int k = -RADIUS; k <= RADIUS; k++)
                if (x + k >= 0 && x + k < breite) s += quelle[y * breite + x + k] * kern[RADIUS - k];
            zwischen[y * breite + x] = s;
        }
    for (int y = 0; y < hoehe; y++)
        for (int x = 0; x < breite; x++) {
            float s = 0;
            for (int k = -RADIUS; k <= RADIUS; k++)
                if (y + k >= 0 && y + k < hoehe) s += zwischen[(y + k) * breite + x] * kern[RADIUS - k];
            ziel[y * breite + x] = s;
        }
    delete[] zwischen;
}

int main()
{
    const int breite = 150, hoehe = 90, n = breite * hoehe;
    float kern[2 * RADIUS + 1];
    float* bild = new float[n];
    float* erg = new float[n];
    float* ref = new float[n];
    for (int i = 0; i <= 2 * RADIUS; i++) kern[i] = (float)(rand() % 16);
    for (int i = 0; i < n; i++) bild[i] = (float)(rand() % 16);
    float *dQ, *dZ, *dP;
    cudaMalloc(&dQ, n * sizeof(float));
    cudaMalloc(&dP, n * sizeof(float));
    cudaMalloc(&dZ, n * sizeof(float));
    cudaMemcpyToSymbol(c_kern, kern, sizeof kern);
    cudaMemcpy(dQ, bild, n * sizeof(float), cudaMemcpyHostToDevice);
    dim3 block(BX, BY), gitter((breite + BX - 1) / BX, (hoehe + BY - 1) / BY);
    zeilen<<<gitter, block>>>(dP, dQ, breite, hoehe);
    spalten<<<gitter, block>>>(dZ, dP, breite, hoehe);
    cudaMemcpy(erg, dZ, n * sizeof(float), cudaMemcpyDeviceToHost);
    aufCpu(ref, bild, kern, breite, hoehe);
    double fehler = 0, summe = 0;
    for (int i = 0; i < n; i++) {
        fehler += (erg[i] - ref[i]) * (erg[i] - ref[i]);
        summe += ref[i] * ref[i];
    }
    double l2 = sqrt(fehler / summe);
    printf("Relativer L2-Fehler: %e\n", l2);
    printf(l2 < 1e-6 ? "Ergebnis stimmt.\n" : "Ergebnis ist falsch!\n");
    cudaFree(dQ);
    cudaFree(dP);
    cudaFree(dZ);
    delete[] bild;
    delete[] erg;
    delete[] ref;
    return l2 < 1e-6 ? 0 : 1;
}
