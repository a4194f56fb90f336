#include <vector>
__global__ void lap(const double* in, double* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) out[i] = in[i - 1] - 2 * in[i] + in[i + 1];
}
int main()
{
    int n = 1000;
    std::vector<double> h(n);
    for (int i = 0; i < n; i++) h[i] = 0.001 * i * i;
    double *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(double));
    cudaMalloc(&d_out, n * sizeof(double));
    cudaMemset(d_out, 0, n * sizeof(double));
    cudaMemcpy(d_in, h.data(), n * sizeof(double), cudaMemcpyHostToDevice);
    lap<<<(n + 127) / 128, 128>>>(d_in, d_out, n);
    cudaMemcpy(h.data(), d_out, n * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
}
