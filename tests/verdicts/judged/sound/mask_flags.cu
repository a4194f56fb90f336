#define FLUID 0
#define SOLID 1
#define INFLOW 2
__global__ void apply_flags(const int* flag, const float* u, float* un, int W, int H, float uin)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= W || y >= H) return;
    int c = x + W * y;
    switch (flag[c]) {
    case SOLID: un[c] = 0.f; break;
    case INFLOW: un[c] = uin; break;
    default: {
        float l = x > 0 ? u[c - 1] : u[c];
        float r = x < W - 1 ? u[c + 1] : u[c];
        un[c] = (l + r) * 0.5f;
    }
    }
}
