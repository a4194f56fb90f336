__global__ void k(int* o, int n) { switch (n) { case 0: do { o[0]++; case 1: o[1]++; } while (n-- > 0); } }
// error 1:70: unsupported: case label inside another statement
