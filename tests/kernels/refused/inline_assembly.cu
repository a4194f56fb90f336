__global__ void k(float* a) { asm("bar.sync 0;"); }
// error 1:31: unsupported: inline assembly 'bar.sync'
