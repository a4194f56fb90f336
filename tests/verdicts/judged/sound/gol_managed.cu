#include <iostream>
#include <cstdlib>
#include <ctime>
class World {
public:
    World(int w, int h) : w(w), h(h) { cudaMallocManaged(&cur, w * h); cudaMallocManaged(&next, w * h); }
    ~World() { cudaFree(cur); cudaFree(next); }
    World(const World&) = delete;
    void randomize() { srand(time(nullptr)); for (int i = 0; i < w * h; i++) cur[i] = rand() % 2; }
    void step();
    int alive() const { int n = 0; for (int i = 0; i < w * h; i++) n += cur[i]; return n; }
private:
    int w, h;
    char *cur, *next;
};
__global__ void life(const char* a, char* b, int w, int h)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < w * h; i += blockDim.x * gridDim.x) {
        int x = i % w, y = i / w, n = 0;
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++)
                if (dx || dy) n += a[((y + dy + h) % h) * w + (x + dx + w) % w];
        b[i] = n == 3 || (n == 2 && a[i]);
    }
}
void World::step() { life<<<4, 128>>>(cur, next, w, h); cudaDeviceSynchronize(); std::swap(cur, next); }
int main()
{
    World world(60, 45);
    world.randomize();
    for (int g = 0; g < 10; g++) { std::cout << "generation " << g << ": " << world.alive() << "\n"; world.step(); }
}
