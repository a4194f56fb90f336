__global__ void k(unsigned* a) { asm("mov.u32 %0, %%smid;" : "=r"(a[0])); }
// error 1:34: unsupported: inline assembly 'mov.u32' of %smid, which depends on the GPU
