// A value that is still needed is copied before an increment changes its variable.
__global__ void kernel(int* out, int i) {
  out[i++] = i;
  out[0] = i++ << i;
  int previous = --i;
  previous += previous++;
}
