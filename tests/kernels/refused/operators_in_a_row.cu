#define TEN(x) x x x x x x x x x x
__global__ void kernel(int* out) {
  out[0] = TEN(TEN(TEN(-))) out[1];
}
// error 3:12: the text is too large or too deeply nested to be read
