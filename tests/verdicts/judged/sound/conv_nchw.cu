#include <stdint.h>
__global__ void conv2d_nchw(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ bias, float* __restrict__ y,
                            int N, int C, int H, int W, int K, int R, int S, int pad, int stride, int P, int Q)
{
    int64_t o = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    int64_t total = (int64_t)N * K * P * Q;
    if (o >= total) return;
    int q = o % Q, p = (o / Q) % P, k = (o / ((int64_t)Q * P)) % K, n = o / ((int64_t)Q * P * K);
    float acc = bias ? bias[k] : 0.f;
    for (int c = 0; c < C; ++c)
        for (int r = 0; r < R; ++r)
            for (int s = 0; s < S; ++s) {
                int h = p * stride - pad + r, v = q * stride - pad + s;
                if (h < 0 || h >= H || v < 0 || v >= W) continue;
                acc += x[((n * C + c) * (int64_t)H + h) * W + v] * w[((k * C + c) * R + r) * S + s];
            }
    y[o] = acc;
}
