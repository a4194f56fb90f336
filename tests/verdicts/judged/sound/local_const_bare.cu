__global__ void diff(const float* t, float* o, int w, int h)
{
    const int dx[4] = {1, -1, 0, 0}, dy[4] = {0, 0, 1, -1};
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float s = 0;
    for (int k = 0; k < 4; k++) { int xx = x + dx[k], yy = y + dy[k]; if (xx >= 0 && xx < w && yy >= 0 && yy < h) s += t[yy * w + xx]; }
    o[y * w + x] = s;
}
