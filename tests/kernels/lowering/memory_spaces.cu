__constant__ float weights[3] = {0.5f, 0.25f};
__constant__ int count;
__device__ float total;
__constant__ constexpr int kDx[2][2] = {{1, 0}, {0, -1}};
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

/* lowered
  object in[at launch] F64 Global read-only
  object out[at launch] F32 Global
  object dynamic_s[at launch] F32 Shared
  object tile_s[2][3] F32 Shared
  object window[3] F32 Local
  object offsets[2] I32 Constant read-only = -1, 1
  object weights[3] F32 Constant read-only = 0.5f, 0.25f, 0.0f
  object count I32 Constant read-only
  object total F32 Global
  object kDx[2][2] I32 Constant read-only = 1, 0, 0, -1
  ...
  Statement 0 Declaration
  Store.F32 [&window], 1.0f window
  Store.F32 [&window+4], 0.0f window
  Store.F32 [&window+8], 0.0f window
  Statement 1 Expression
  %0 = Load.I32 [&count] count
  %1 = Offset &weights, %0, 4
  %2 = Load.F32 [%1] weights
  %3 = Load.F32 [&total] total
  %4 = Add.F32 %2, %3
  %5 = Add.F32 %4, 2.0f
  Store.F32 [&dynamic_s], %5 dynamic_s
  Statement 2 Expression
  %1 = Offset &kDx, threadIdx.x, 8
  %6 = Offset %1, 1, 4
  %0 = Load.I32 [%6] kDx
  %7 = Offset &window, %0, 4
  %5 = Load.F32 [%7] window
  %8 = Convert.F64 %5
  %9 = Load.I32 [&offsets+4] offsets
  %10 = Offset in, %9, 8
  %11 = Load.F64 [%10] in
  %12 = Add.F64 %8, %11
  %4 = Convert.F32 %12
  Store.F32 [&tile_s+20], %4 tile_s
  Statement 3 Expression
  %10 = Offset &tile_s, threadIdx.y, 12
  %4 = Load.F32 [%10] tile_s
  Store.F32 [out], %4 out
*/
