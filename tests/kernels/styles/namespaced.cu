#include <algorithm>
#include <memory>
namespace lab7 {
constexpr int kRadius = 1;
enum class Border { Zero, Clamp };
template <Border B>
__device__ float fetch(const float* p, int i, int n) {
  if constexpr (B == Border::Zero) return i >= 0 && i < n ? p[i] : 0.0f;
  return p[i < 0 ? 0 : (i >= n ? n - 1 : i)];
}
__global__ void soften(const float* p, float* q, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = 0.5f * (fetch<Border::Zero>(p, i - kRadius, n) + fetch<Border::Clamp>(p, i + kRadius, n));
}
}
// expects: soften clean 1000
// stepping: soften refused this access cannot be recorded on a GPU: it shares its place in the text with another one
