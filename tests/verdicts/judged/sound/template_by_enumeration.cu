#include <cstdio>
#include <cstdint>
#include <cmath>
#include <memory>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>
// Gaussian, gradient with direction, non-maximum suppression, double threshold
inline void check(cudaError_t e, const char* what) { if (e != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(e)); }
#define CK(x) check((x), #x)
struct Free { void operator()(void* p) const { cudaFree(p); } };
template <class T> using DevPtr = std::unique_ptr<T[], Free>;
template <class T> DevPtr<T> make_dev(size_t n) { void* p = nullptr; CK(cudaMalloc(&p, n * sizeof(T))); return DevPtr<T>(static_cast<T*>(p)); }

__constant__ float g5[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};

enum class Axis { X, Y };
template <Axis A>
__global__ void blur(const float* in, float* out, int w, int h)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float s = 0;
    for (int k = -2; k <= 2; ++k) {
        int xx = A == Axis::X ? min(max(x + k, 0), w - 1) : x;
        int yy = A == Axis::Y ? min(max(y + k, 0), h - 1) : y;
        s += g5[k + 2] * in[yy * w + xx];
    }
    out[y * w + x] = s;
}
__global__ void gradient(const float* in, float* mag, uint8_t* dir, int w, int h)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    if (x == 0 || y == 0 || x == w - 1 || y == h - 1) { mag[y * w + x] = 0; dir[y * w + x] = 0; return; }
    auto at = [&](int dx, int dy) { return in[(y + dy) * w + x + dx]; };
    float gx = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1);
    float gy = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1);
    mag[y * w + x] = hypotf(gx, gy);
    float a = atan2f(gy, gx) * 57.29578f;
    if (a < 0) a += 180.f;
    dir[y * w + x] = a < 22.5f || a >= 157.5f ? 0 : a < 67.5f ? 1 : a < 112.5f ? 2 : 3;
}
__global__ void suppress(const float* mag, const uint8_t* dir, uint8_t* edge, int w, int h, float lo, float hi)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    uint8_t e = 0;
    if (x > 0 && y > 0 && x < w - 1 && y < h - 1) {
        const int dx[4] = {1, 1, 0, -1}, dy[4] = {0, 1, 1, 1};
        int d = dir[y * w + x];
        float m = mag[y * w + x];
        if (m >= mag[(y + dy[d]) * w + x + dx[d]] && m >= mag[(y - dy[d]) * w + x - dx[d]]) e = m > hi ? 255 : m > lo ? 128 : 0;
    }
    edge[y * w + x] = e;
}
int main()
try {
    const int w = 160, h = 100;
    std::vector<float> img(w * h);
    for (int y = 0; y < h; ++y) for (int x = 0; x < w; ++x) img[y * w + x] = (x - 80) * (x - 80) + (y - 50) * (y - 50) < 900 ? 200.f : 40.f + x * 0.1f;
    auto a = make_dev<float>(w * h), b = make_dev<float>(w * h);
    auto d = make_dev<uint8_t>(w * h), e = make_dev<uint8_t>(w * h);
    CK(cudaMemcpy(a.get(), img.data(), w * h * sizeof(float), cudaMemcpyHostToDevice));
    const dim3 t(16, 16), g((w + 15) / 16, (h + 15) / 16);
    blur<Axis::X><<<g, t>>>(a.get(), b.get(), w, h);
    blur<Axis::Y><<<g, t>>>(b.get(), a.get(), w, h);
    gradient<<<g, t>>>(a.get(), b.get(), d.get(), w, h);
    suppress<<<g, t>>>(b.get(), d.get(), e.get(), w, h, 40.f, 120.f);
    CK(cudaGetLastError());
    std::vector<uint8_t> edges(w * h);
    CK(cudaMemcpy(edges.data(), e.get(), w * h, cudaMemcpyDeviceToHost));
    int strong = 0, weak = 0;
    for (auto v : edges) { strong += v == 255; weak += v == 128; }
    printf("strong %d weak %d\n", strong, weak);
} catch (const std::exception& e) { fprintf(stderr, "%s\n", e.what()); return 1; }
