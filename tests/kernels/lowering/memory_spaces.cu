// options: -listing=all
__constant__ float weights[3] = {0.5f, 0.25f};
__constant__ int count;
__device__ float total;
constexpr int kDx[2][2] = {{1, 0}, {0, -1}};
const float kScale = 2.0f;

__global__ void kernel(const double* __restrict__ in, float* out) {
  extern __shared__ float dynamic_s[];
  __shared__ float tile_s[2][3];
  float window[3] = {1.0f};
  const int offsets[2] = {-1, 1};
  dynamic_s[0] = weights[count] + total + kScale;
  tile_s[1][2] = window[kDx[threadIdx.x][1]] + in[offsets[1]];
  out[0] = tile_s[threadIdx.y][0];
}
