// Sections fall through until a break; `continue` is for the loop around the switch.
__global__ void kernel(int* out, int n) {
  for (int i = 0; i < n; ++i) {
    switch (out[i]) {
      case 0:
      case 1: out[i] = 5; break;
      case 2: out[i] = 6;
      default: out[i] += 1;
        if (n > 9) continue;
    }
    out[n] = i;
  }
}
