// causal FIR: y[i] = sum_k h[k] x[i-k]
__global__ void fir(const float* x, float* y, const float* h, int n, int taps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0.f;
    for (int k = 0; k < taps && k <= i; k++) s += h[k] * x[i - k];
    y[i] = s;
}
