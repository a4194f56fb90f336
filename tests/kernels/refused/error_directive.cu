#error "choose a radius"
__global__ void k(int* o) { o[0] = 1; }
// error 1:2: "choose a radius"
