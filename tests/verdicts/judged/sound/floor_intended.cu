__global__ void checker(float* out, int w, int h, int cell)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float cx = w / 2, cy = h / 2;
    float d = sqrtf((x - cx) * (x - cx) + (y - cy) * (y - cy));
    float v = (x / cell + y / cell) % 2;
    out[y * w + x] = v * d;
}
