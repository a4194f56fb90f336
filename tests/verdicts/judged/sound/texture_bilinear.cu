#include <cstdio>
#include <vector>
__global__ void rot(cudaTextureObject_t t, float* o, int w, int h, float th) { int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; if (x >= w || y >= h) return; float u = x - w / 2.f, v = y - h / 2.f; o[y * w + x] = tex2D<float>(t, u * cosf(th) - v * sinf(th) + w / 2.f + 0.5f, u * sinf(th) + v * cosf(th) + h / 2.f + 0.5f); }
int main()
{
    int w = 64, h = 48; std::vector<float> f(w * h); for (int i = 0; i < w * h; i++) f[i] = i % 64; cudaChannelFormatDesc c = cudaCreateChannelDesc<float>(); cudaArray_t arr; cudaMallocArray(&arr, &c, w, h); cudaMemcpy2DToArray(arr, 0, 0, f.data(), w * 4, w * 4, h, cudaMemcpyHostToDevice);
    cudaResourceDesc r = {}; r.resType = cudaResourceTypeArray; r.res.array.array = arr; cudaTextureDesc d = {}; d.addressMode[0] = d.addressMode[1] = cudaAddressModeClamp; d.filterMode = cudaFilterModeLinear; d.readMode = cudaReadModeElementType; cudaTextureObject_t t = 0; cudaCreateTextureObject(&t, &r, &d, nullptr);
    float* o; cudaMalloc(&o, w * h * 4); rot<<<dim3(4, 3), dim3(16, 16)>>>(t, o, w, h, 0.5f); cudaMemcpy(f.data(), o, w * h * 4, cudaMemcpyDeviceToHost); printf("%f\n", f[100]); cudaDestroyTextureObject(t); cudaFreeArray(arr); cudaFree(o);
}
