// expects: exited 1
// expects: launches 1
// expects: prints wrong: 108
#include <cstdio>
#include <vector>

const int W = 37, H = 21;

// The five-point sum; what lies outside is left to the texture.
__global__ void sweep(cudaTextureObject_t in, float *out, float step, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float u = x + 0.5f, v = y + 0.5f, du = 1.0f, dv = 1.0f;
  if (step == 0.0f) {  // coordinates from 0 to 1
    u /= w, v /= h, du /= w, dv /= h;
  }
  out[y * w + x] = tex2D<float>(in, u, v) + tex2D<float>(in, u - du, v) + tex2D<float>(in, u + du, v) +
                   tex2D<float>(in, u, v - dv) + tex2D<float>(in, u, v + dv);
}

int place(int i, int n, cudaTextureAddressMode mode) {
  if (i >= 0 && i < n) return i;
  switch (mode) {
    case cudaAddressModeWrap: return (i + n) % n;
    case cudaAddressModeMirror: return i < 0 ? -1 - i : 2 * n - 1 - i;
    case cudaAddressModeClamp: return i < 0 ? 0 : n - 1;
    default: return -1;
  }
}

int main() {
  std::vector<float> in(W * H), out(W * H);
  for (int i = 0; i < W * H; i++) in[i] = (float)(i * 5 % 31);
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, W, H);
  cudaMemcpy2DToArray(array, 0, 0, in.data(), W * sizeof(float), W * sizeof(float), H, cudaMemcpyHostToDevice);
  float *d_out;
  cudaMalloc(&d_out, W * H * sizeof(float));
  printf("wrong:");
  int all = 0;
  for (cudaTextureAddressMode mode : {cudaAddressModeBorder}) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description = {};
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    description.filterMode = cudaFilterModePoint;
    description.readMode = cudaReadModeElementType;
    description.normalizedCoords = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    dim3 block(16, 8);
    sweep<<<dim3((W + 15) / 16, (H + 7) / 8), block>>>(texture, d_out, description.normalizedCoords ? 0.0f : 1.0f, W, H);
    cudaMemcpy(out.data(), d_out, W * H * sizeof(float), cudaMemcpyDeviceToHost);  // finds: rejected-result
    cudaDestroyTextureObject(texture);
    int wrong = 0;
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++) {
        auto at = [&](int i, int j) {
          int px = place(i, W, mode), py = place(j, H, mode);
          return px < 0 || py < 0 ? 0.0f : in[py * W + px];
        };
        wrong += out[y * W + x] != at(x, y) + at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1);
      }
    printf(" %d", wrong);
    all += wrong;
  }
  printf("\n");
  cudaFreeArray(array);
  cudaFree(d_out);
  return all != 0;
}
