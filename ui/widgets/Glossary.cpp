#include "ui/widgets/Glossary.h"

#include <array>

namespace haloscope::ui {

namespace {

constexpr std::array kTerms = {
    GlossaryTerm{
        "bank conflict",
        "lanes of a warp access different words in the same one of shared memory's 32 banks; they are serialised"},
    GlossaryTerm{"barrier interval", "the part of a block's execution between two __syncthreads()"},
    GlossaryTerm{"block", "a group of threads with common shared memory and barriers"},
    GlossaryTerm{"coalescing", "a warp's accesses to neighbouring elements combine into few sectors"},
    GlossaryTerm{"divergence", "lanes of one warp take different branches, so some are idle"},
    GlossaryTerm{"finding", "one fault in the kernel, with its line, threads and array element"},
    GlossaryTerm{"ghost cell",
                 "a point outside the array that is given a value by convention (as in PMPP; others call it halo)"},
    GlossaryTerm{"halo cell",
                 "an input point that a block loads around its output tile (as in PMPP; others call it ghost cell)"},
    GlossaryTerm{"input tile", "the input points that a block loads"},
    GlossaryTerm{"lane", "a thread's place in its warp, 0 to 31"},
    GlossaryTerm{"OP/B", "floating-point operations per byte of global memory, the arithmetic intensity"},
    GlossaryTerm{"output tile", "the output points that a block computes"},
    GlossaryTerm{"plane", "one iteration of the loop that moves a block through the grid"},
    GlossaryTerm{"predicted", "computed from a GPU's data sheet, not measured on this machine"},
    GlossaryTerm{"race", "two threads access one element, at least one writes, and nothing orders them"},
    GlossaryTerm{"roofline",
                 "upper bound on operations per second at a given OP/B, from memory bandwidth and arithmetic peak"},
    GlossaryTerm{"sector", "32 bytes, the unit of a memory transaction"},
    GlossaryTerm{"sweep", "one launch of the kernel: every point computed once"},
    GlossaryTerm{"tile", "a small box of points that a block works on; its edge length is tunable"},
    GlossaryTerm{"warp", "32 threads that execute together"},
};

}  // namespace

std::span<const GlossaryTerm> glossary() { return kTerms; }

}  // namespace haloscope::ui
