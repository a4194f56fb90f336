// expects: exited 0
// expects: launches 2
// expects: prints wrong: 0, 0
#include <cmath>
#include <cstdio>
#include <vector>

const int N = 8, M = 20;

__global__ void resample2D(cudaTextureObject_t in, float2 *out, int m) {
  int x = threadIdx.x, y = blockIdx.x;
  if (x < m) out[y * m + x] = tex2D<float2>(in, (x + 0.5f) / m, (y + 0.5f) / m);
}

__global__ void resample3D(cudaTextureObject_t in, float *out, int m, float scale) {
  int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
  if (x < m) out[(z * m + y) * m + x] = tex3D<float>(in, x * scale, y * scale, z * scale);
}

double weight(double x) { return std::floor((x - std::floor(x)) * 256 + 0.5) / 256; }
int clamped(int i) { return i < 0 ? 0 : i < N ? i : N - 1; }

int main() {
  std::vector<float> in(N * N * N);
  for (int i = 0; i < N * N * N; i++) in[i] = (float)((i * 37 + i / N * 11) % 64) / 64;
  cudaExtent cube = make_cudaExtent(N, N, N);

  // Of two channels, a plane.
  cudaChannelFormatDesc pairs = cudaCreateChannelDesc<float2>();
  cudaArray_t plane;
  cudaMallocArray(&plane, &pairs, N, N);
  cudaMemcpy2DToArray(plane, 0, 0, in.data(), N * sizeof(float2), N * sizeof(float2), N, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = plane;
  cudaTextureDesc description = {};
  for (int axis = 0; axis < 3; axis++) description.addressMode[axis] = cudaAddressModeClamp;
  description.filterMode = cudaFilterModeLinear;
  description.normalizedCoords = 1;
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  float2 *d_pairs;
  cudaMalloc(&d_pairs, M * M * sizeof(float2));
  resample2D<<<M, 32>>>(texture, d_pairs, M);
  std::vector<float2> found(M * M);
  cudaMemcpy(found.data(), d_pairs, M * M * sizeof(float2), cudaMemcpyDeviceToHost);
  int wrong2 = 0;
  for (int y = 0; y < M; y++)
    for (int x = 0; x < M; x++) {
      double a = (x + 0.5) / M * N - 0.5, b = (y + 0.5) / M * N - 0.5, sum = 0;
      for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++) {
          double w = (i ? weight(a) : 1 - weight(a)) * (j ? weight(b) : 1 - weight(b));
          sum += w * in[(clamped((int)std::floor(b) + j) * N + clamped((int)std::floor(a) + i)) * 2 + 1];
        }
      wrong2 += std::fabs(sum - found[y * M + x].y) > 0.005;
    }
  cudaDestroyTextureObject(texture);

  // A volume.
  cudaChannelFormatDesc single = cudaCreateChannelDesc<float>();
  cudaArray_t volume;
  cudaMalloc3DArray(&volume, &single, cube);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(in.data(), N * sizeof(float), N, N);
  copy.dstArray = volume;
  copy.extent = cube;
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);
  resource.res.array.array = volume;
  description.normalizedCoords = 0;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  float *d_out;
  cudaMalloc(&d_out, M * M * M * sizeof(float));
  const float scale = 0.4375f;
  resample3D<<<dim3(M, M), 32>>>(texture, d_out, M, scale);
  std::vector<float> out(M * M * M);
  cudaMemcpy(out.data(), d_out, M * M * M * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong3 = 0;
  for (int z = 0; z < M; z++)
    for (int y = 0; y < M; y++)
      for (int x = 0; x < M; x++) {
        double at[3] = {x * scale - 0.5, y * scale - 0.5, z * scale - 0.5}, sum = 0;
        for (int corner = 0; corner < 8; corner++) {
          double w = 1;
          int place[3];
          for (int axis = 0; axis < 3; axis++) {
            int far = corner >> axis & 1;
            w *= far ? weight(at[axis]) : 1 - weight(at[axis]);
            place[axis] = clamped((int)std::floor(at[axis]) + far);
          }
          sum += w * in[(place[2] * N + place[1]) * N + place[0]];
        }
        wrong3 += std::fabs(sum - out[(z * M + y) * M + x]) > 1e-5;
      }
  printf("wrong: %d, %d\n", wrong2, wrong3);
  cudaDestroyTextureObject(texture);
  cudaFreeArray(plane);
  cudaFreeArray(volume);
  cudaFree(d_pairs);
  cudaFree(d_out);
  return wrong2 + wrong3 != 0;
}
