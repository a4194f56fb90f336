#define R 3
__constant__ float coef[2 * R + 1];
__global__ void fd(const float* in, float* out, int n)
{
    extern __shared__ float sh[];
    float* s = sh + R + threadIdx.x;
    const float* c = coef + R;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[0] = i < n ? in[i] : 0.f;
    if (threadIdx.x < R) {
        s[-R] = i - R >= 0 ? in[i - R] : 0.f;
        s[blockDim.x] = i + blockDim.x < n ? in[i + blockDim.x] : 0.f;
    }
    __syncthreads();
    float v = 0.f;
#pragma unroll
    for (int k = -R; k <= R; k++) v += c[k] * s[k];
    if (i < n) out[i] = v;
}
