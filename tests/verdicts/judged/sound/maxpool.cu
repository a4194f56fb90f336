__global__ void maxpool(const float* in, float* out, int* argmax, int channels, int h, int w, int k, int s)
{
    int oh = (h - k) / s + 1, ow = (w - k) / s + 1;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= channels * oh * ow) return;
    int x = i % ow, y = i / ow % oh, c = i / (ow * oh);
    const float* p = in + (size_t)c * h * w;
    int best = (y * s) * w + x * s;
    for (int a = 0; a < k; a++)
        for (int b = 0; b < k; b++) {
            int j = (y * s + a) * w + x * s + b;
            if (p[j] > p[best]) best = j;
        }
    out[i] = p[best];
    argmax[i] = best;
}
__global__ void maxpool_backward(const float* gout, const int* argmax, float* gin, int channels, int oh, int ow, int hw)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= channels * oh * ow) return;
    atomicAdd(&gin[i / (oh * ow) * hw + argmax[i]], gout[i]);
}
