// radix-2, stage s of log2n stages; one thread per butterfly, n / 2 butterflies
__global__ void fft_stage(float2* a, int log2n, int s)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= 1 << (log2n - 1)) return;
    int half = 1 << s;
    int k = t & (half - 1), base = (t >> s) << (s + 1);
    float ang = -3.14159265f * k / half, c, si;
    __sincosf(ang, &si, &c);
    float2 u = a[base + k], v = a[base + k + half];
    float2 w = make_float2(c * v.x - si * v.y, c * v.y + si * v.x);
    a[base + k] = make_float2(u.x + w.x, u.y + w.y);
    a[base + k + half] = make_float2(u.x - w.x, u.y - w.y);
}
