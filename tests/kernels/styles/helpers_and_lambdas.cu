#define IDX(i, j, k) (((i) * ny + (j)) * nx + (k))
struct Box { int lo, hi; };
__device__ __forceinline__ bool inside(int v, Box b) { return v >= b.lo && v < b.hi; }
__global__ void laplace(const double* u, double* v, int nx, int ny, int nz) {
  auto k = blockIdx.x * blockDim.x + threadIdx.x;
  auto j = blockIdx.y * blockDim.y + threadIdx.y;
  auto i = blockIdx.z * blockDim.z + threadIdx.z;
  const Box bx{1, nx - 1}, by{1, ny - 1}, bz{1, nz - 1};
  if (!(inside(k, bx) && inside(j, by) && inside(i, bz))) return;
  auto at = [&](int di, int dj, int dk) { return u[IDX(i + di, j + dj, k + dk)]; };
  v[IDX(i, j, k)] = at(0, 0, 1) + at(0, 0, -1) + at(0, 1, 0) + at(0, -1, 0) + at(1, 0, 0) + at(-1, 0, 0) - 6.0 * at(0, 0, 0);
}
// expects: laplace clean 3000
