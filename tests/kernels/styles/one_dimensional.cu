#define MASK_WIDTH 5
__constant__ float M[MASK_WIDTH];
__global__ void convolution_1D_basic_kernel(float *N, float *P, int Width) {
  int i = blockIdx.x*blockDim.x + threadIdx.x;
  if (i >= Width) return;
  float Pvalue = 0;
  int start = i - (MASK_WIDTH/2);
  for (int j = 0; j < MASK_WIDTH; j++) {
    if (start + j >= 0 && start + j < Width) Pvalue += N[start + j]*M[j];
  }
  P[i] = Pvalue;
}
// expects: convolution_1D_basic_kernel matches 1000
