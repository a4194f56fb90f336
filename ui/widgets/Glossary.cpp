#include "ui/widgets/Glossary.h"

#include <array>

#include "language/Text.h"

namespace haloscope::ui {

namespace {

constexpr std::array kTerms = {
    GlossaryTerm{
        trMark("bank conflict"),
        trMark(
            "lanes of a warp access different words in the same one of shared memory's 32 banks; they are serialised")},
    GlossaryTerm{trMark("barrier interval"), trMark("the part of a block's execution between two __syncthreads()")},
    GlossaryTerm{trMark("block"), trMark("a group of threads with common shared memory and barriers")},
    GlossaryTerm{trMark("coalescing"), trMark("a warp's accesses to neighbouring elements combine into few sectors")},
    GlossaryTerm{trMark("divergence"), trMark("lanes of one warp take different branches, so some are idle")},
    GlossaryTerm{trMark("finding"), trMark("one fault in the kernel, with its line, threads and array element")},
    GlossaryTerm{
        trMark("ghost cell"),
        trMark("a point outside the array that is given a value by convention (as in PMPP; others call it halo)")},
    GlossaryTerm{
        trMark("halo cell"),
        trMark("an input point that a block loads around its output tile (as in PMPP; others call it ghost cell)")},
    GlossaryTerm{trMark("input tile"), trMark("the input points that a block loads")},
    GlossaryTerm{trMark("lane"), trMark("a thread's place in its warp, 0 to 31")},
    GlossaryTerm{trMark("OP/B"),
                 trMark("floating-point operations per byte of global memory, the arithmetic intensity")},
    GlossaryTerm{trMark("output tile"), trMark("the output points that a block computes")},
    GlossaryTerm{trMark("plane"), trMark("one iteration of the loop that moves a block through the grid")},
    GlossaryTerm{trMark("predicted"), trMark("computed from a GPU's data sheet, not measured on this machine")},
    GlossaryTerm{trMark("race"),
                 trMark("two threads access one element, at least one writes, and nothing orders them")},
    GlossaryTerm{
        trMark("roofline"),
        trMark("upper bound on operations per second at a given OP/B, from memory bandwidth and arithmetic peak")},
    GlossaryTerm{trMark("sector"), trMark("32 bytes, the unit of a memory transaction")},
    GlossaryTerm{trMark("sweep"), trMark("one launch of the kernel: every point computed once")},
    GlossaryTerm{trMark("tile"), trMark("a small box of points that a block works on; its edge length is tunable")},
    GlossaryTerm{trMark("warp"), trMark("32 threads that execute together")},
};

}  // namespace

std::span<const GlossaryTerm> glossary() { return kTerms; }

}  // namespace haloscope::ui
