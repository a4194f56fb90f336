struct __align__(16) Cell { float h, hu, hv, b; };
__global__ void swe(const Cell* in, Cell* out, int nx, int ny, float dt, float dx, float g)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 1 || j < 1 || i >= nx - 1 || j >= ny - 1) return;
    const Cell &c = in[j * nx + i], &l = in[j * nx + i - 1], &r = in[j * nx + i + 1], &d = in[(j - 1) * nx + i], &u = in[(j + 1) * nx + i];
    Cell o;
    o.h = 0.25f * (l.h + r.h + d.h + u.h) - 0.5f * dt / dx * (r.hu - l.hu + u.hv - d.hv);
    o.hu = c.hu - 0.5f * dt / dx * g * c.h * (r.h + r.b - l.h - l.b);
    o.hv = c.hv - 0.5f * dt / dx * g * c.h * (u.h + u.b - d.h - d.b);
    o.b = c.b;
    out[j * nx + i] = o;
}
