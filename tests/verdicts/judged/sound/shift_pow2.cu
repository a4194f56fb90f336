// nx = 1 << lx, ny = 1 << ly
__global__ void stencil_pow2(const float* a, float* b, int lx, int ly)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= 1 << (lx + ly)) return;
    int mx = (1 << lx) - 1, my = (1 << ly) - 1;
    int x = id & mx, y = id >> lx;
    b[id] = a[id] + 0.1f * (a[(y << lx) | ((x + 1) & mx)] + a[(y << lx) | ((x - 1) & mx)] + a[(((y + 1) & my) << lx) | x] + a[(((y - 1) & my) << lx) | x] - 4 * a[id]);
}
