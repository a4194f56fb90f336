// Marches along z with three planes in registers.
#define TX 32
#define TY 4
__global__ void march(const float* __restrict__ u, float* __restrict__ v, int nx, int ny, int nz) {
  int x = blockIdx.x * TX + threadIdx.x, y = blockIdx.y * TY + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const size_t plane = (size_t)nx * ny;
  size_t at = (size_t)y * nx + x;
  float below = 0.0f, here = u[at], above;
  for (int z = 0; z < nz; ++z, at += plane) {
    above = z + 1 < nz ? u[at + plane] : 0.0f;
    v[at] = below - 2.0f * here + above;
    below = here;
    here = above;
  }
}
int main() {
  int nx = 40, ny = 30, nz = 12;
  size_t bytes = (size_t)nx * ny * nz * sizeof(float);
  float *u, *v;
  cudaMalloc(&u, bytes);
  cudaMalloc(&v, bytes);
  dim3 b(TX, TY), g((nx + TX - 1) / TX, (ny + TY - 1) / TY);
  march<<<g, b>>>(u, v, nx, ny, nz);
}
// expects: march clean 14000
