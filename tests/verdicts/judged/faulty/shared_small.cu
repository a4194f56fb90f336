#include <cstdio>
#include <cstdlib>
#include <cmath>

#define BS 128
#define RADIUS 3
__global__ void st1(const int* in, int* out)
{
    __shared__ int temp[BS + RADIUS];
    int g = threadIdx.x + blockIdx.x * blockDim.x, l = threadIdx.x + RADIUS;
    temp[l] = in[g];
    if (threadIdx.x < RADIUS) { temp[l - RADIUS] = in[g - RADIUS]; temp[l + BS] = in[g + BS]; }
    __syncthreads();
    int r = 0; for (int o = -RADIUS; o <= RADIUS; o++) r += temp[l + o];
    out[g] = r;
}
int main()
{
    const int N = 1024; int *h = (int*)malloc((N + 6) * 4), *in, *out; for (int i = 0; i < N + 6; i++) h[i] = 1;
    cudaMalloc(&in, (N + 6) * 4); cudaMalloc(&out, (N + 6) * 4); cudaMemcpy(in, h, (N + 6) * 4, cudaMemcpyHostToDevice); cudaMemcpy(out, h, (N + 6) * 4, cudaMemcpyHostToDevice);
    st1<<<N / BS, BS>>>(in + RADIUS, out + RADIUS);
    cudaMemcpy(h, out, (N + 6) * 4, cudaMemcpyDeviceToHost);
    for (int i = RADIUS; i < N + RADIUS; i++) if (h[i] != 7) { printf("bad %d\n", i); break; }
    cudaFree(in); cudaFree(out); free(h);
}
