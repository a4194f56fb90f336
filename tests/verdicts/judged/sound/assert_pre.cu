#include <cassert>
__global__ void scale4(float* v, int n, float a)
{
    assert(n % 4 == 0);
    assert(blockDim.x % 32 == 0);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) {
        float4 t = reinterpret_cast<float4*>(v)[i];
        t.x *= a; t.y *= a; t.z *= a; t.w *= a;
        reinterpret_cast<float4*>(v)[i] = t;
    }
}
