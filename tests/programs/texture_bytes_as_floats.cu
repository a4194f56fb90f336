// expects: exited 0
// expects: launches 1
// expects: prints wrong: 0
#include <math.h>
#include <stdio.h>

#define W 50
#define H 30

struct Job {
  cudaTextureObject_t image;
  int width, height;
};

__global__ void grey(Job job, float *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= job.width) return;
  float4 colour = tex2D<float4>(job.image, x, y);
  out[y * job.width + x] = (colour.x + colour.y + colour.z) / 3;
}

int main() {
  static uchar4 image[H][W];
  static float out[H][W];
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) image[y][x] = make_uchar4(x * 5, y * 8, (x + y) % 256, 255);
  uchar4 *d_image;
  float *d_out;
  size_t pitch;
  cudaMallocPitch(&d_image, &pitch, W * sizeof(uchar4), H);
  cudaMemcpy2D(d_image, pitch, image, sizeof(image[0]), W * sizeof(uchar4), H, cudaMemcpyHostToDevice);
  cudaMalloc(&d_out, sizeof(out));
  struct cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = d_image;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
  resource.res.pitch2D.width = W;
  resource.res.pitch2D.height = H;
  resource.res.pitch2D.pitchInBytes = pitch;
  struct cudaTextureDesc description = {};
  description.addressMode[0] = cudaAddressModeClamp;
  description.addressMode[1] = cudaAddressModeClamp;
  description.readMode = cudaReadModeNormalizedFloat;
  Job job = {0, W, H};
  cudaCreateTextureObject(&job.image, &resource, &description, NULL);
  grey<<<dim3((W + 31) / 32, H), 32>>>(job, d_out);
  cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      const uchar4 p = image[y][x];
      wrong += fabsf(out[y][x] - (p.x + p.y + p.z) / 3.0f / 255.0f) > 1e-6f;
    }
  printf("wrong: %d\n", wrong);
  cudaDestroyTextureObject(job.image);
  cudaFree(d_image);
  cudaFree(d_out);
  return wrong != 0;
}
