#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void reduce_max(const float* v, float* blockMax, int n)
{
    extern __shared__ float sh[];
    cg::thread_block b = cg::this_thread_block();
    float m = -1e30f;
    for (int i = b.group_index().x * b.size() + b.thread_rank(); i < n; i += gridDim.x * b.size()) m = fmaxf(m, fabsf(v[i]));
    cg::thread_block_tile<32> w = cg::tiled_partition<32>(b);
    for (int o = w.size() / 2; o; o /= 2) m = fmaxf(m, w.shfl_xor(m, o));
    if (w.thread_rank() == 0) sh[b.thread_rank() / 32] = m;
    b.sync();
    if (b.thread_rank() == 0) {
        for (unsigned k = 1; k < b.size() / 32; ++k) m = fmaxf(m, sh[k]);
        blockMax[blockIdx.x] = m;
    }
}
