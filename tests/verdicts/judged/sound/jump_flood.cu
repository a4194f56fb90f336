__global__ void jfa_pass(const int2* seeds, int2* outSeeds, int W, int H, int step)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= W || y >= H) return;
    int2 best = seeds[y * W + x];
    float bd = best.x < 0 ? 1e30f : (float)(best.x - x) * (best.x - x) + (float)(best.y - y) * (best.y - y);
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
            int xx = x + dx * step, yy = y + dy * step;
            if (xx < 0 || yy < 0 || xx >= W || yy >= H) continue;
            int2 s = seeds[yy * W + xx];
            if (s.x < 0) continue;
            float d = (float)(s.x - x) * (s.x - x) + (float)(s.y - y) * (s.y - y);
            if (d < bd) { bd = d; best = s; }
        }
    outSeeds[y * W + x] = best;
}
