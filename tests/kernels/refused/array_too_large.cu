__global__ void k(int* a) { int t[1 << 30]; a[0] = t[0]; }
// error 1:29: 't' takes 4294967296 bytes; at most 524288 fit into Local memory
