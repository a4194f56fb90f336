// arrays padded to multiples of 32, kernel only touches the image; only the image is copied back
#include <cstdio>
#include <cstdlib>
__global__ void grey(const uchar4* in, float* out, int w, int h, int pw) { int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; if (x < w && y < h) { uchar4 c = in[y * pw + x]; out[y * pw + x] = 0.299f * c.x + 0.587f * c.y + 0.114f * c.z; } }
__global__ void edge(const float* in, float* out, int w, int h, int pw) { int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; if (x > 0 && y > 0 && x < w - 1 && y < h - 1) out[y * pw + x] = fabsf(in[y * pw + x + 1] - in[y * pw + x - 1]) + fabsf(in[(y + 1) * pw + x] - in[(y - 1) * pw + x]); }
int main()
{
    int w = 100, h = 50, pw = (w + 31) / 32 * 32; uchar4* hi = (uchar4*)calloc(w * h, 4); float* ho = (float*)calloc(w * h, 4); for (int i = 0; i < w * h; i++) hi[i] = make_uchar4(rand() & 255, rand() & 255, rand() & 255, 255);
    uchar4* d; float *g, *e; cudaMalloc(&d, pw * h * 4); cudaMalloc(&g, pw * h * 4); cudaMalloc(&e, pw * h * 4); cudaMemset(e, 0, pw * h * 4);
    cudaMemcpy2D(d, pw * 4, hi, w * 4, w * 4, h, cudaMemcpyHostToDevice);
    dim3 b(32, 8), gr(pw / 32, (h + 7) / 8); grey<<<gr, b>>>(d, g, w, h, pw); edge<<<gr, b>>>(g, e, w, h, pw);
    cudaMemcpy2D(ho, w * 4, e, pw * 4, w * 4, h, cudaMemcpyDeviceToHost); double s = 0; for (int i = 0; i < w * h; i++) s += ho[i]; printf("%f\n", s); cudaFree(d); cudaFree(g); cudaFree(e); free(hi); free(ho);
}
