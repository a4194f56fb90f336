// options: -DRADIUS=2
// Instructions of a macro point at where it is used.
#define TILE (2 * RADIUS + 1)
#define AT(i, j) ((i) * TILE + (j))

__global__ void kernel(const float* in, float* out) {
  out[AT(threadIdx.y, RADIUS)] = in[AT(threadIdx.y, threadIdx.x)];
}
