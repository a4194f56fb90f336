__global__ void k(int* o) { int t[3] = {1,2,3}; for (int x : t) o[0] += x; }
// error 1:49: unsupported: range-based for loop
