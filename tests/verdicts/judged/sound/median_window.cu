// window sizes up to 9 (9x9 = 81 values); ksize is odd
__global__ void median(const unsigned char* img, unsigned char* res, int cols, int rows, int ksize)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c >= cols || r >= rows) return;
    unsigned char v[81];
    int m = 0, h = ksize / 2;
    for (int i = -h; i <= h; i++)
        for (int j = -h; j <= h; j++) {
            int rr = r + i, cc = c + j;
            if (rr < 0 || cc < 0 || rr >= rows || cc >= cols) continue;
            v[m++] = img[rr * cols + cc];
        }
    for (int i = 1; i < m; i++) {
        unsigned char x = v[i];
        int j = i - 1;
        while (j >= 0 && v[j] > x) { v[j + 1] = v[j]; --j; }
        v[j + 1] = x;
    }
    res[r * cols + c] = v[m / 2];
}
