// expects: exited 0
// expects: launches 1
// expects: prints volumes agree
#include <cstdio>
#include <cmath>
#include <cstdlib>
#include <vector>

#define CUDA_OK(x) if ((x) != cudaSuccess) { fprintf(stderr, "failed in line %d\n", __LINE__); exit(2); }

__constant__ float kernel27[27];

__device__ inline const float* rowOf(cudaPitchedPtr p, int y, int z) {
    return (const float*)((const char*)p.ptr + (z * p.ysize + y) * p.pitch);
}

__global__ void convolve3d(cudaPitchedPtr in, cudaPitchedPtr out, int nx, int ny, int nz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= nx || y >= ny || z >= nz) return;
    float sum = 0.0f;
    for (int c = -1; c <= 1; c++)
        for (int b = -1; b <= 1; b++)
            for (int a = -1; a <= 1; a++)
                if (x + a >= 0 && x + a < nx && y + b >= 0 && y + b < ny && z + c >= 0 && z + c < nz)
                    sum += kernel27[((c + 1) * 3 + b + 1) * 3 + a + 1] * rowOf(in, y + b, z + c)[x + a];
    float* row = (float*)((char*)out.ptr + (z * out.ysize + y) * out.pitch);
    row[x] = sum;
}

int main() {
    const int nx = 19, ny = 14, nz = 11;
    std::vector<float> h_in(nx * ny * nz), h_out(nx * ny * nz), taps(27);
    for (size_t i = 0; i < h_in.size(); i++) h_in[i] = std::cos(0.37f * i);
    for (int i = 0; i < 27; i++) taps[i] = 0.01f * (i + 1);
    CUDA_OK(cudaMemcpyToSymbol(kernel27, taps.data(), 27 * sizeof(float)));

    cudaExtent extent = make_cudaExtent(nx * sizeof(float), ny, nz);
    cudaPitchedPtr d_in, d_out;
    CUDA_OK(cudaMalloc3D(&d_in, extent));
    CUDA_OK(cudaMalloc3D(&d_out, extent));

    cudaMemcpy3DParms up = {0};
    up.srcPtr = make_cudaPitchedPtr(h_in.data(), nx * sizeof(float), nx, ny);
    up.dstPtr = d_in;
    up.extent = extent;
    up.kind = cudaMemcpyHostToDevice;
    CUDA_OK(cudaMemcpy3D(&up));

    dim3 block(8, 4, 4);
    dim3 grid((nx + 7) / 8, (ny + 3) / 4, (nz + 3) / 4);
    convolve3d<<<grid, block>>>(d_in, d_out, nx, ny, nz);
    CUDA_OK(cudaGetLastError());

    cudaMemcpy3DParms down = {0};
    down.srcPtr = d_out;
    down.dstPtr = make_cudaPitchedPtr(h_out.data(), nx * sizeof(float), nx, ny);
    down.extent = extent;
    down.kind = cudaMemcpyDeviceToHost;
    CUDA_OK(cudaMemcpy3D(&down));

    bool same = true;
    for (int z = 0; z < nz; z++)
        for (int y = 0; y < ny; y++)
            for (int x = 0; x < nx; x++) {
                double want = 0;
                for (int c = -1; c <= 1; c++)
                    for (int b = -1; b <= 1; b++)
                        for (int a = -1; a <= 1; a++) {
                            int u = x + a, v = y + b, w = z + c;
                            if (u < 0 || v < 0 || w < 0 || u >= nx || v >= ny || w >= nz) continue;
                            want += taps[((c + 1) * 3 + b + 1) * 3 + a + 1] * h_in[(w * ny + v) * nx + u];
                        }
                same = same && std::fabs(want - h_out[(z * ny + y) * nx + x]) < 1e-4;
            }
    puts(same ? "volumes agree" : "volumes differ");
    cudaFree(d_in.ptr);
    cudaFree(d_out.ptr);
    return !same;
}
