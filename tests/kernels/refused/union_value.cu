union U { int i; float f; };
__global__ void k(float* o) { U u; u.f = o[0]; o[1] = u.i; }
// error 2:31: unsupported: value of type U
