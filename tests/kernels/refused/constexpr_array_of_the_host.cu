constexpr float taps[3] = {1, 2, 1};
struct Filter {
  static constexpr int radius[2] = {1, 2};
};
__global__ void k(float* o) {
  constexpr float middle = taps[1];
  static constexpr float own[2] = {1, 2};
  if constexpr (Filter::radius[0] == 1) o[0] = middle + own[threadIdx.x];
  for (int i = 0; i < 3; ++i) o[i] = taps[i];
}
// error 9:38: 'taps' is an array of the host, and nvcc refuses it where its index is not a constant: declare it __constant__ or __device__ constexpr
