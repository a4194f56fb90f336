__global__ void k(void* s) { ((float*)s)[0] = 1; }
// error 1:19: unsupported: parameter 's' of type void *
