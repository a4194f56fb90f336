#include "ui/widgets/Glossary.h"

#include <array>

namespace haloscope::ui {

namespace {

constexpr std::array kTerms = {
    Term{"bank conflict",
         "lanes of a warp ask for different words of one of the 32 banks of shared memory, and wait for each other"},
    Term{"barrier interval", "what a block does between two __syncthreads()"},
    Term{"block", "the threads that share one shared memory and meet at its barriers"},
    Term{"coalescing", "lanes of a warp that read neighbouring elements are served by few sectors"},
    Term{"divergence", "lanes of one warp take different branches, and some are idle"},
    Term{"finding", "one mistake of the kernel, told with its line, threads and array element"},
    Term{"ghost cell", "a point outside the array, a value by convention (PMPP's meaning; other authors say halo)"},
    Term{"halo cell",
         "an input point that a block loads beside its output tile (PMPP's meaning; other authors say ghost cell)"},
    Term{"input tile", "the points that a block loads"},
    Term{"lane", "a thread's place in its warp, 0 to 31"},
    Term{"OP/B", "floating-point operations per byte of global memory, the arithmetic intensity"},
    Term{"output tile", "the points that a block computes"},
    Term{"plane", "one turn of the loop that carries a block through the grid"},
    Term{"predicted", "taken from a GPU's data sheet, not measured here"},
    Term{"race", "two threads touch one element, one of them writes, and nothing orders them"},
    Term{"roofline", "the most operations a second that memory and arithmetic allow at an OP/B"},
    Term{"sector", "32 bytes, the unit of a memory transaction"},
    Term{"sweep", "one launch of the kernel: every point computed once"},
    Term{"tile", "a small box of points that a block works on; its edge is a tunable"},
    Term{"warp", "32 threads that execute in step"},
};

}  // namespace

std::span<const Term> glossary() { return kTerms; }

}  // namespace haloscope::ui
