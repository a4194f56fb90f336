#define IX(x, y) ((y) * nx + (x))
struct Grid { int nx, ny; };
__global__ void wave(const float* now, const float* before, float* after, int nx, int ny, float dt) {
  for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < ny; y += gridDim.y * blockDim.y)
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < nx; x += gridDim.x * blockDim.x) {
      bool border = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;
      after[IX(x, y)] = border ? 0.0f
          : 2 * now[IX(x, y)] - before[IX(x, y)] + dt * dt * (now[IX(x - 1, y)] + now[IX(x + 1, y)] + now[IX(x, y - 1)] +
                                                              now[IX(x, y + 1)] - 4 * now[IX(x, y)]);
    }
}
// expects: wave clean 3000
