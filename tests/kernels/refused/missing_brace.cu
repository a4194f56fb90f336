__global__ void k(int* o) { o[0] = 1;
int main() { k<<<1,1>>>(0); }
// error 2:12: function definition is not allowed here
