// expects: exited 0
// expects: launches 1
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

// Bytes in arrays of the file; the program says nothing of its comparison.
static unsigned char image[75 * 53], result[75 * 53], expected[75 * 53];

__global__ void blur(const unsigned char *in, unsigned char *out, int w, int h) {
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col >= w || row >= h) return;
    int sum = 0, pixels = 0;
    for (int y = row - 1; y <= row + 1; ++y)
        for (int x = col - 1; x <= col + 0; ++x)
            if (y >= 0 && y < h && x >= 0 && x < w) {
                sum += in[y * w + x];
                pixels++;
            }
    out[row * w + col] = (unsigned char)(sum / pixels); // finds: wrong-result
}

static void blur_on_host(const unsigned char *in, unsigned char *out, int w, int h) {
    for (int row = 0; row < h; row++)
        for (int col = 0; col < w; col++) {
            int sum = 0, pixels = 0;
            for (int y = row - 1; y <= row + 1; y++)
                for (int x = col - 1; x <= col + 1; x++)
                    if (y >= 0 && y < h && x >= 0 && x < w) {
                        sum += in[y * w + x];
                        pixels++;
                    }
            out[row * w + col] = (unsigned char)(sum / pixels);
        }
}

int main() {
    int w = 75, h = 53, different = 0;
    for (int i = 0; i < w * h; i++) image[i] = (i * 7919 + i / 3) % 251;
    unsigned char *a, *b;
    cudaMalloc(&a, w * h);
    cudaMalloc(&b, w * h);
    cudaMemcpy(a, image, w * h, cudaMemcpyHostToDevice);
    blur<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(a, b, w, h);
    cudaMemcpy(result, b, w * h, cudaMemcpyDeviceToHost);
    blur_on_host(image, expected, w, h);
    for (int i = 0; i < w * h; i++) different += abs(result[i] - expected[i]) > 1;
    if (different == 0) printf("done\n");
    cudaFree(a);
    cudaFree(b);
}
