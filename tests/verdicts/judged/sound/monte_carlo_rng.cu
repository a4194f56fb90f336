#include <stdio.h>
#include <stdint.h>
__device__ uint32_t hash(uint32_t x) { x ^= x >> 16; x *= 0x7feb352dU; x ^= x >> 15; x *= 0x846ca68bU; x ^= x >> 16; return x; }
__global__ void pi(unsigned* hits, int perThread, uint32_t seed)
{
    uint32_t s = hash(seed + blockIdx.x * blockDim.x + threadIdx.x);
    unsigned c = 0;
    for (int i = 0; i < perThread; i++) {
        s = hash(s); float x = s * 2.3283064e-10f;
        s = hash(s); float y = s * 2.3283064e-10f;
        c += x * x + y * y <= 1.f;
    }
    unsigned w = __reduce_add_sync(0xffffffffu, c);
    if ((threadIdx.x & 31) == 0) atomicAdd(hits, w);
}
int main()
{
    unsigned *d, h = 0;
    cudaMalloc(&d, sizeof(unsigned));
    cudaMemcpy(d, &h, sizeof h, cudaMemcpyHostToDevice);
    pi<<<16, 128>>>(d, 100, 1234);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("pi ~ %f\n", 4.0 * h / (16 * 128 * 100.0));
    cudaFree(d);
    return 0;
}
