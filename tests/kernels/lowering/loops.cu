// options: -listing=all
// Every kind of loop, with break and continue, and what is known about each.
__global__ void kernel(float* out, int n) {
  for (int i = 0; i < n; ++i) {
    if (i == 3) continue;
    for (int j = i; j > 0; j >>= 1) {
      if (out[j] < 0.0f) break;
      __syncthreads();
    }
  }
  int k = n;
  while (k > 0) {
    k -= 2;
  }
  do {
    ++k;
  } while (k < n);
  for (;;) {
    if (k-- == 0) return;
  }
}
