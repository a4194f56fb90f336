#define NX 300
#define NY 200
__global__ void step(double T[NY][NX], double Tn[NY][NX], double dt, double dx2, double kappa)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 1 && i < NY - 1 && j >= 1 && j < NX - 1)
        Tn[i][j] = T[i][j] + kappa * dt / dx2 * (T[i-1][j] + T[i+1][j] + T[i][j-1] + T[i][j+1] - 4.0 * T[i][j]);
}
