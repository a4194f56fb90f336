__global__ void mandel(int* iters, int w, int h, double x0, double y0, double dx, int maxit)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= w || py >= h) return;
    double cr = x0 + px * dx, ci = y0 + py * dx, zr = 0, zi = 0;
    int k = 0;
    while (zr * zr + zi * zi <= 4.0 && k < maxit) {
        double t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = t;
        ++k;
    }
    iters[py * w + px] = k;
}
