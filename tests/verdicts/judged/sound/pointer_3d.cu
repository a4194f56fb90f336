#define NX 40
#define NY 30
__global__ void lap(const float (*__restrict__ u)[NY][NX], float (*__restrict__ v)[NY][NX], int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x > 0 && y > 0 && z > 0 && x < NX - 1 && y < NY - 1 && z < nz - 1)
        v[z][y][x] = u[z][y][x - 1] + u[z][y][x + 1] + u[z][y - 1][x] + u[z][y + 1][x] + u[z - 1][y][x] + u[z + 1][y][x] - 6 * u[z][y][x];
}
