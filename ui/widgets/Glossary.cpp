#include "ui/widgets/Glossary.h"

#include <array>

namespace haloscope::ui {

namespace {

constexpr std::array kTerms = {
    Term{"bank conflict",
         "lanes of a warp access different words in the same one of shared memory's 32 banks; they are serialised"},
    Term{"barrier interval", "the part of a block's execution between two __syncthreads()"},
    Term{"block", "a group of threads with common shared memory and barriers"},
    Term{"coalescing", "a warp's accesses to neighbouring elements combine into few sectors"},
    Term{"divergence", "lanes of one warp take different branches, so some are idle"},
    Term{"finding", "one fault in the kernel, with its line, threads and array element"},
    Term{"ghost cell",
         "a point outside the array that is given a value by convention (as in PMPP; others call it halo)"},
    Term{"halo cell",
         "an input point that a block loads around its output tile (as in PMPP; others call it ghost cell)"},
    Term{"input tile", "the input points that a block loads"},
    Term{"lane", "a thread's place in its warp, 0 to 31"},
    Term{"OP/B", "floating-point operations per byte of global memory, the arithmetic intensity"},
    Term{"output tile", "the output points that a block computes"},
    Term{"plane", "one iteration of the loop that moves a block through the grid"},
    Term{"predicted", "computed from a GPU's data sheet, not measured on this machine"},
    Term{"race", "two threads access one element, at least one writes, and nothing orders them"},
    Term{"roofline", "upper bound on operations per second at a given OP/B, from memory bandwidth and arithmetic peak"},
    Term{"sector", "32 bytes, the unit of a memory transaction"},
    Term{"sweep", "one launch of the kernel: every point computed once"},
    Term{"tile", "a small box of points that a block works on; its edge length is tunable"},
    Term{"warp", "32 threads that execute together"},
};

}  // namespace

std::span<const Term> glossary() { return kTerms; }

}  // namespace haloscope::ui
