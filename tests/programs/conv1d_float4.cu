// expects: exited 0
// expects: launches 2
// expects: prints 0 mismatches
// Four outputs per thread: whole vectors are loaded and stored, the neighbours come one by one.
#include <cstdio>
#include <vector>

__global__ void smooth4(const float* in, float* out, int n) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * v >= n) return;
    float4 c = reinterpret_cast<const float4*>(in)[v];
    float left = v > 0 ? in[4 * v - 1] : 0.0f;
    float right = 4 * v + 4 < n ? in[4 * v + 4] : 0.0f;
    float4 r;
    r.x = 0.25f * left + 0.5f * c.x + 0.25f * c.y;
    r.y = 0.25f * c.x + 0.5f * c.y + 0.25f * c.z;
    r.z = 0.25f * c.y + 0.5f * c.z + 0.25f * c.w;
    r.w = 0.25f * c.z + 0.5f * c.w + 0.25f * right;
    reinterpret_cast<float4*>(out)[v] = r;
}

__global__ void scale2(float2* values, int pairs, float by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pairs) values[i] = make_float2(values[i].x * by, values[i].y * by);
}

int main() {
    const int n = 512;
    std::vector<float> in(n), out(n);
    for (int i = 0; i < n; ++i) in[i] = (i * 17 % 29) * 0.25f;
    float *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    smooth4<<<2, 64>>>(d_in, d_out, n);
    scale2<<<4, 64>>>(reinterpret_cast<float2*>(d_out), n / 2, 4.0f);
    cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    int mismatches = 0;
    for (int i = 0; i < n; ++i) {
        float want = (i > 0 ? in[i - 1] : 0) + 2 * in[i] + (i + 1 < n ? in[i + 1] : 0);
        if (out[i] != want) ++mismatches;
    }
    printf("%d mismatches\n", mismatches);
    cudaFree(d_in);
    cudaFree(d_out);
    return mismatches != 0;
}
