// Each implicit conversion of C++ is there; one that changes no bits of the register costs no instruction.
__global__ void kernel(float* out, const unsigned char* pixels, size_t stride, int row, short offset) {
  float mean = pixels[row * stride] / 255;
  double exact = 0.5 * mean;
  char narrow = row;
  narrow += 3;
  bool odd = row & 1;
  unsigned bits = row;
  long long wide = bits;
  out[offset] = exact + narrow + odd + wide;
}
