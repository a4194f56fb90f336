// true convolution: the filter is flipped
#define R 3
__constant__ float h[2 * R + 1];
__global__ void convolve(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = 0.f;
        for (int k = -R; k <= R; k++)
            if (i - k >= 0 && i - k < n) s += h[k + R] * x[i - k];
        y[i] = s;
    }
}
