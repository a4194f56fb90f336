__global__ void spread(const int* in, int* out, int* changed, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int i = y * w + x, v = in[i];
    if (!v && ((x > 0 && in[i - 1]) || (x < w - 1 && in[i + 1]) || (y > 0 && in[i - w]) || (y < h - 1 && in[i + w]))) { v = 1; *changed = 1; }
    out[i] = v;
}
