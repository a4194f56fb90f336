// nb[4*c + d]: neighbour of cell c in direction d, or -1 at a wall
__global__ void diffuse_unstructured(const int* nb, const double* T, double* Tn, int ncells, double k)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= ncells) return;
    double flux = 0.0, t = T[c];
    for (int d = 0; d < 4; ++d) {
        int m = nb[4 * c + d];
        if (m >= 0) flux += T[m] - t;
    }
    Tn[c] = t + k * flux;
}
