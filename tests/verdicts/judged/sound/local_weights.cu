#define MAX_RADIUS 7
// radius <= MAX_RADIUS
__global__ void bilateral1d(const float* in, float* out, int n, int radius, float sigma)
{
    float w[2 * MAX_RADIUS + 1];
    float norm = 0.f;
    for (int k = -radius; k <= radius; ++k) {
        w[k + radius] = expf(-(k * k) / (2.f * sigma * sigma));
        norm += w[k + radius];
    }
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0.f;
    for (int k = -radius; k <= radius; ++k) {
        int j = min(max(i + k, 0), n - 1);
        s += w[k + radius] * in[j];
    }
    out[i] = s / norm;
}
