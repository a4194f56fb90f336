__global__ void sqrt_newton(const float* a, float* r, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = fabsf(a[i]);
    if (v == 0.f) { r[i] = 0.f; return; }
    float x = v > 1.f ? v : 1.f, prev;
    int it = 0;
    do {
        prev = x;
        x = 0.5f * (x + v / x);
    } while (fabsf(x - prev) > 1e-6f * x && ++it < 100);
    r[i] = x;
}
