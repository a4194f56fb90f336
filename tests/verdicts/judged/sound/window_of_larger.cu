// processes only a region of interest of a larger picture; guard by the picture, region by the grid (exactly divisible)
#include <cstdio>
#include <vector>
__global__ void brighten(unsigned char* p, int w, int h, int x0, int y0)
{
    int x = x0 + blockIdx.x * blockDim.x + threadIdx.x, y = y0 + blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    p[y * w + x] = min(p[y * w + x] + 50, 255);
}
int main()
{
    int w = 200, h = 150; std::vector<unsigned char> im(w * h); for (int i = 0; i < w * h; i++) im[i] = i % 256; unsigned char* d; cudaMalloc(&d, w * h); cudaMemcpy(d, im.data(), w * h, cudaMemcpyHostToDevice);
    brighten<<<dim3(4, 3), dim3(16, 16)>>>(d, w, h, 40, 30); // 64 x 48 pixels
    cudaMemcpy(im.data(), d, w * h, cudaMemcpyDeviceToHost); printf("%d %d\n", im[0], im[30 * w + 40]); cudaFree(d);
}
