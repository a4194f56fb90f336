// expects: exited 0
// expects: launches 1
// The array has 250 floats: the last vector of four is half outside.
#include <cstdio>
#include <vector>

__global__ void twice(const float* in, float* out, int vectors) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < vectors) {
        float4 c = reinterpret_cast<const float4*>(in)[v];  // finds: out-of-bounds
        reinterpret_cast<float4*>(out)[v] = make_float4(2 * c.x, 2 * c.y, 2 * c.z, 2 * c.w);  // finds: out-of-bounds
    }
}

int main() {
    const int n = 250;
    std::vector<float> data(n, 1.0f);
    float *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemcpy(d_in, data.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    twice<<<1, 64>>>(d_in, d_out, (n + 3) / 4);
    cudaMemcpy(data.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%g\n", data[0]);
    cudaFree(d_in);
    cudaFree(d_out);
}
