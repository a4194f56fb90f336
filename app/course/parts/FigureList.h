#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "language/Text.h"

// The book's figures, one line each, in the order of the book: the NAME of kNAMEFigure (book/) and drawNAMEFigure
// (ui/figures/), the id on the command line and in Figures::inFront, the word on its button, what it shows with its
// place in the book, and whether it takes the room of the timeline and of the plots too.
#define HALOSCOPE_FIGURES(FIGURE)                                                                                     \
  FIGURE(Shape, "shape", trMark("shape"),                                                                             \
         trMark("The points that one output needs, with their coefficients (PMPP 4e, 8.1)"), true)                    \
  FIGURE(Discretise, "discretise", trMark("discretise"),                                                              \
         trMark("A sampled function, its derivative by finite differences, and their errors (PMPP 4e, 8.1)"), true)   \
  FIGURE(OpPerByte, "opb", trMark("OP/B"),                                                                            \
         trMark("Operations per byte against tile size and radius, with their bounds (PMPP 4e, 7.4 and 8.3)"), true)  \
  FIGURE(Constant, "constant", trMark("constant"),                                                                    \
         trMark("The contents of constant memory, and when one broadcast serves a warp (PMPP 4e, 7.3)"), false)       \
  FIGURE(Layout, "layout", trMark("layout"),                                                                          \
         trMark("The elements that a point or a warp needs in the linear array, and their sectors"), true)            \
  FIGURE(Tail, "tail", trMark("tail"), trMark("Blocks and lanes without work where blocks do not divide the domain"), \
         true)                                                                                                        \
  FIGURE(Registers, "registers", trMark("registers"),                                                                 \
         trMark("Registers, shared memory and occupancy, as reported by the compiler (PMPP 4e, 8.5)"), true)          \
  FIGURE(Boundary, "boundary", trMark("boundary"),                                                                    \
         trMark("Halo cells, ghost cells and points that keep their value (PMPP 4e, 7.4 and 8.2)"), true)

namespace haloscope {

/// One of the book's figures, as it is listed.
struct ListedFigure {
  const char* id;    ///< "opb"
  const char* word;  ///< by which it is chosen: "OP/B"
  const char* tip;   ///< what it shows, and where the book has it
  bool wide;         ///< says nothing about the current step: it takes the room of the timeline and of the plots too
};

[[nodiscard]] std::span<const ListedFigure> listedFigures();
/// Index of the figure with this id; 0 if there is none.
[[nodiscard]] std::size_t figureIndex(std::string_view id);
/// The figure `by` places further in the list, wrapping round.
[[nodiscard]] const ListedFigure& neighbourFigure(std::string_view id, int by);
[[nodiscard]] std::vector<std::string> figureIds();

}  // namespace haloscope
