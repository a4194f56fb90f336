// total elements of all levels: level l has n >> l cells, levels packed behind each other
__global__ void haar_level(const float* in, float* out, int n, int level)
{
    int len = n >> level, half = len / 2;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= half) return;
    float a = in[2 * i], b = in[2 * i + 1];
    out[i] = (a + b) * 0.70710678f;
    out[half + i] = (a - b) * 0.70710678f;
}
