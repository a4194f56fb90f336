// expects: exited 0
// expects: launches 1
// expects: prints rows agree
// A table of rows lies in device memory; the kernel loads the pointers from it.
#include <cstdio>
#include <cmath>
#include <vector>

__global__ void blurRows(float** in, float** out, int rows, int cols) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y;
    if (r < rows && c > 0 && c < cols - 1) out[r][c] = 0.25f * in[r][c - 1] + 0.5f * in[r][c] + 0.25f * in[r][c + 1];
}

int main() {
    const int rows = 6, cols = 50;
    std::vector<std::vector<float>> data(rows, std::vector<float>(cols));
    std::vector<float*> inRows(rows), outRows(rows);
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++) data[r][c] = 4.0f * ((r * 7 + c * 3) % 10);
        cudaMalloc(&inRows[r], cols * sizeof(float));
        cudaMalloc(&outRows[r], cols * sizeof(float));
        cudaMemcpy(inRows[r], data[r].data(), cols * sizeof(float), cudaMemcpyHostToDevice);
    }
    float **in, **out;
    cudaMalloc(&in, rows * sizeof(float*));
    cudaMalloc(&out, rows * sizeof(float*));
    cudaMemcpy(in, inRows.data(), rows * sizeof(float*), cudaMemcpyHostToDevice);
    cudaMemcpy(out, outRows.data(), rows * sizeof(float*), cudaMemcpyHostToDevice);
    blurRows<<<dim3(2, rows), 32>>>(in, out, rows, cols);
    bool same = true;
    for (int r = 0; r < rows; r++) {
        std::vector<float> got(cols);
        cudaMemcpy(got.data(), outRows[r], cols * sizeof(float), cudaMemcpyDeviceToHost);
        for (int c = 1; c < cols - 1; c++) {
            float want = 0.25f * data[r][c - 1] + 0.5f * data[r][c] + 0.25f * data[r][c + 1];
            same = same && got[c] == want;
        }
        cudaFree(inRows[r]);
        cudaFree(outRows[r]);
    }
    printf("rows %s\n", same ? "agree" : "differ");
    cudaFree(in);
    cudaFree(out);
    return !same;
}
