__global__ void k(int* o) { o[0] = ({ int x = 3; x; }); }
// error 1:36: unsupported: statements inside an expression
