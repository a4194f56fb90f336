__device__ unsigned int xorshift(unsigned int& s) { s ^= s << 13; s ^= s >> 17; s ^= s << 5; return s; }
__global__ void add_noise(float* img, int w, int h, unsigned int seed, float amp)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    unsigned int s = seed ^ (y * 73856093u) ^ (x * 19349663u);
    if (s == 0) s = 1;
    for (int k = 0; k < 4; ++k) xorshift(s);
    float r = (xorshift(s) & 0xffffff) / 16777216.0f;
    img[y * w + x] += amp * (r - 0.5f);
}
__global__ void lcg_walk(int* pos, unsigned int* state, int n, int steps, int L)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    unsigned int s = state[i];
    int p = 0;
    for (int t = 0; t < steps; t++) {
        s = 1664525u * s + 1013904223u;
        p += (s >> 31) ? 1 : -1;
        if (p < -L) p = -L;
        if (p > L) p = L;
    }
    pos[i] = p;
    state[i] = s;
}
