#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <cstdio>
#include <fstream>
template <int R> __global__ void dilate(const unsigned char* in, unsigned char* out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    unsigned char m = 0;
    for (int j = max(y - R, 0); j <= min(y + R, h - 1); j++)
        for (int i = max(x - R, 0); i <= min(x + R, w - 1); i++) m = max(m, in[j * w + i]);
    out[y * w + x] = m;
}
int main()
{
    int w = 99, h = 55;
    thrust::host_vector<unsigned char> img(w * h, 0);
    for (int k = 0; k < 40; k++) img[(k * 131) % (w * h)] = 200 + k;
    thrust::device_vector<unsigned char> a = img, b(w * h);
    dim3 block(32, 4), grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y);
    dilate<3><<<grid, block>>>(thrust::raw_pointer_cast(a.data()), thrust::raw_pointer_cast(b.data()), w, h);
    cudaDeviceSynchronize();
    img = b;
    std::ofstream o("dilated.pgm", std::ios::binary);
    o << "P5\n" << w << " " << h << "\n255\n";
    o.write((const char*)img.data(), w * h);
    int sum = 0;
    for (int i = 0; i < w * h; i++) sum += img[i] > 0;
    printf("%d covered\n", sum);
}
