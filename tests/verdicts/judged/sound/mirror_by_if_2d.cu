#define R 1
__constant__ float M[3][3];
__global__ void conv2(const float* in, float* out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float s = 0;
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
            int yy = y + a - R, xx = x + b - R;
            if (yy < 0) yy = -yy;
            if (yy >= h) yy = 2 * h - 2 - yy;
            if (xx < 0) xx = -xx;
            if (xx >= w) xx = 2 * w - 2 - xx;
            s += M[a][b] * in[yy * w + xx];
        }
    out[y * w + x] = s;
}
