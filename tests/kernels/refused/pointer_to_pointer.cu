__global__ void k(float** s) { s[0][0] = 1; }
// error 1:19: unsupported: parameter 's' of type float **
