// 32 cells per word; words_x words per row, periodic
__global__ void life_bits(const unsigned* in, unsigned* out, unsigned words_x, unsigned rows)
{
    unsigned wx = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (wx >= words_x || y >= rows) return;
    unsigned ym = (y + rows - 1) % rows, yp = (y + 1) % rows;
    unsigned xm = (wx + words_x - 1) % words_x, xp = (wx + 1) % words_x;
    unsigned r = 0;
    unsigned a[3] = {in[ym * words_x + wx], in[y * words_x + wx], in[yp * words_x + wx]};
    unsigned l[3] = {in[ym * words_x + xm] >> 31, in[y * words_x + xm] >> 31, in[yp * words_x + xm] >> 31};
    unsigned h[3] = {in[ym * words_x + xp] & 1u, in[y * words_x + xp] & 1u, in[yp * words_x + xp] & 1u};
    for (int b = 0; b < 32; ++b) {
        int n = 0;
        for (int k = 0; k < 3; ++k) {
            n += b > 0 ? (a[k] >> (b - 1)) & 1u : l[k];
            n += b < 31 ? (a[k] >> (b + 1)) & 1u : h[k];
            if (k != 1) n += (a[k] >> b) & 1u;
        }
        unsigned alive = (a[1] >> b) & 1u;
        if (n == 3 || (alive && n == 2)) r |= 1u << b;
    }
    out[y * words_x + wx] = r;
}
