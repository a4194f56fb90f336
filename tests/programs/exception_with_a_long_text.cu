// expects: uncaught
// expects: launches 0
// expects: says xxxxx…
#include <stdexcept>
#include <string>

__global__ void zero(float* a) { a[threadIdx.x] = 0; }

int main() { throw std::runtime_error(std::string(1 << 22, 'x')); }  // ends here
