// expects: exited 0
// expects: launches 1
// expects: prints wrong: 0
#include <cstdio>
#include <vector>

const int N = 300;

__global__ void blur(cudaTextureObject_t in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float left = i > 0 ? tex1Dfetch<float>(in, i - 1) : 0.0f;
  float right = i + 1 < n ? tex1Dfetch<float>(in, i + 1) : 0.0f;
  out[i] = left + tex1Dfetch<float>(in, i) + right;
}

int main() {
  std::vector<float> in(N), out(N);
  for (int i = 0; i < N; i++) in[i] = (float)(i % 23);
  float *d_in, *d_out;
  cudaMalloc(&d_in, N * sizeof(float));
  cudaMalloc(&d_out, N * sizeof(float));
  cudaMemcpy(d_in, in.data(), N * sizeof(float), cudaMemcpyHostToDevice);

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = d_in;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = N * sizeof(float);
  cudaTextureDesc description = {};
  description.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);  // finds: never-freed

  blur<<<(N + 127) / 128, 128>>>(texture, d_out, N);
  cudaMemcpy(out.data(), d_out, N * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    float sum = in[i];
    if (i > 0) sum += in[i - 1];
    if (i + 1 < N) sum += in[i + 1];
    wrong += sum != out[i];
  }
  printf("wrong: %d\n", wrong);
  cudaFree(d_in);
  cudaFree(d_out);
  return wrong != 0;
}
