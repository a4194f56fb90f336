#include "language/Glossary.h"

#include <algorithm>
#include <array>

#include "language/Text.h"

namespace haloscope {

namespace {

constexpr std::array kTerms = {
    GlossaryTerm{
        trMark("bank conflict"),
        trMark(
            "lanes of a warp access different words in the same one of shared memory's 32 banks; they are serialised")},
    GlossaryTerm{trMark("barrier"),
                 trMark("__syncthreads(): no thread of the block continues before all of them have arrived")},
    GlossaryTerm{trMark("barrier interval"), trMark("the part of a block's execution between two __syncthreads()")},
    GlossaryTerm{trMark("block"), trMark("a group of threads with common shared memory and barriers")},
    GlossaryTerm{
        trMark("boundary condition"),
        trMark("what is prescribed at the edge of a grid; in a stencil's sweep, points there keep their values")},
    GlossaryTerm{trMark("box stencil"),
                 trMark("a stencil of all points of a small cube, corners included: 27 in 3D at order 1")},
    GlossaryTerm{trMark("broadcast"),
                 trMark("all lanes of a warp read the same word, which is fetched once for all of them")},
    GlossaryTerm{trMark("coalescing"), trMark("a warp's accesses to neighbouring elements combine into few sectors")},
    GlossaryTerm{trMark("coefficient"), trMark("the number with which a stencil multiplies a point")},
    GlossaryTerm{trMark("constant memory"),
                 trMark("64 KB that kernels only read, through a cache of its own that broadcasts")},
    GlossaryTerm{trMark("convolution"), trMark("each output is the weighted sum of the inputs around its position")},
    GlossaryTerm{trMark("discretisation"),
                 trMark("a continuous function is replaced by its values at the points of a grid")},
    GlossaryTerm{trMark("divergence"), trMark("lanes of one warp take different branches, so some are idle")},
    GlossaryTerm{trMark("DRAM"), trMark("the GPU's memory chips, behind the L2 cache")},
    GlossaryTerm{trMark("filter"), trMark("the weights of a convolution, the same for every output")},
    GlossaryTerm{trMark("finding"), trMark("one fault in the kernel, with its line, threads and array element")},
    GlossaryTerm{trMark("finite difference"),
                 trMark("a derivative approximated from the values at neighbouring grid points")},
    GlossaryTerm{
        trMark("ghost cell"),
        trMark("a point outside the array that is given a value by convention (as in PMPP; others call it halo)")},
    GlossaryTerm{
        trMark("global memory"),
        trMark("the large memory that all threads and the host can access; its accesses go through the caches")},
    GlossaryTerm{trMark("grid"), trMark("of a launch: all its blocks; of a problem: all its points")},
    GlossaryTerm{trMark("grid point"), trMark("a place at which the unknown function has a value in memory")},
    GlossaryTerm{
        trMark("halo cell"),
        trMark("an input point that a block loads around its output tile (as in PMPP; others call it ghost cell)")},
    GlossaryTerm{trMark("input tile"), trMark("the input points that a block loads")},
    GlossaryTerm{trMark("L1 cache"),
                 trMark("the cache of one multiprocessor, in the same hardware as its shared memory")},
    GlossaryTerm{trMark("L2 cache"), trMark("the cache that all multiprocessors share, in front of DRAM")},
    GlossaryTerm{trMark("lane"), trMark("a thread's place in its warp, 0 to 31")},
    GlossaryTerm{trMark("occupancy"),
                 trMark("the warps resident on a multiprocessor, as a share of those that it can hold")},
    GlossaryTerm{trMark("OP/B"),
                 trMark("floating-point operations per byte of global memory, the arithmetic intensity")},
    GlossaryTerm{trMark("order"), trMark("of a stencil: how many points it reaches from its centre along an axis")},
    GlossaryTerm{trMark("output tile"), trMark("the output points that a block computes")},
    GlossaryTerm{trMark("plane"), trMark("one iteration of the loop that moves a block through the grid")},
    GlossaryTerm{trMark("predicted"), trMark("computed from a GPU's data sheet, not measured on this machine")},
    GlossaryTerm{trMark("race"),
                 trMark("two threads access one element, at least one writes, and nothing orders them")},
    GlossaryTerm{trMark("radius"),
                 trMark("how many elements a filter has on each side of its centre: it is 2r + 1 wide")},
    GlossaryTerm{trMark("register"),
                 trMark("the fastest storage; each belongs to one thread, which alone can read it")},
    GlossaryTerm{trMark("register tiling"),
                 trMark("what only one thread of a block needs is kept in its registers instead of shared memory")},
    GlossaryTerm{
        trMark("roofline"),
        trMark("upper bound on operations per second at a given OP/B, from memory bandwidth and arithmetic peak")},
    GlossaryTerm{trMark("row-major"),
                 trMark("rows follow each other in memory: element (row, col) has the index row × width + col")},
    GlossaryTerm{trMark("sector"), trMark("32 bytes, the unit of a memory transaction")},
    GlossaryTerm{trMark("separable"),
                 trMark("a filter that is a column times a row, so that two 1D convolutions replace a 2D one")},
    GlossaryTerm{trMark("shared memory"),
                 trMark("fast memory of a multiprocessor, common to the threads of one block")},
    GlossaryTerm{trMark("spacing"), trMark("the distance h between neighbouring grid points")},
    GlossaryTerm{trMark("star stencil"), trMark("a stencil with arms along the axes only: 7 points in 3D at order 1")},
    GlossaryTerm{
        trMark("stencil"),
        trMark("the points around a grid point from which its new value is computed, with their coefficients")},
    GlossaryTerm{trMark("sweep"), trMark("one launch of the kernel: every point computed once")},
    GlossaryTerm{trMark("thread coarsening"),
                 trMark("a thread computes several outputs, such as one in each of several planes, instead of one")},
    GlossaryTerm{trMark("tile"), trMark("a small box of points that a block works on; its edge length is tunable")},
    GlossaryTerm{trMark("tiling"),
                 trMark("a block loads its inputs into shared memory once, and its threads use them many times")},
    GlossaryTerm{trMark("upper bound"), trMark("what a quantity cannot exceed, however large the tile")},
    GlossaryTerm{trMark("warp"), trMark("32 threads that execute together")},
    GlossaryTerm{trMark("wave"),
                 trMark("the blocks that are resident at the same time; a large grid runs in several waves")},
};

}  // namespace

std::span<const GlossaryTerm> glossary() { return kTerms; }

const GlossaryTerm* findTerm(std::string_view word) {
  const auto found =
      std::ranges::find(kTerms, word, [](const GlossaryTerm& one) { return std::string_view(one.word); });
  return found == kTerms.end() ? nullptr : &*found;
}

}  // namespace haloscope
