// A sum of 2000 terms, by way of macros.
#define TEN(x) x x x x x x x x x x
__global__ void kernel(int* out) {
  out[0] = 0 TEN(TEN(TEN(+ out[1] + out[2] + out[3])));
}
// error 3:34: unsupported: code nested this deeply
