#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "commands/FigureTarget.h"
#include "figures/SineSamples.h"
#include "state/Figures.h"

namespace CLI {
class App;
}

/// The options that belong to the book's figures: `haloscope figure` and `haloscope render --figure` have the same
/// ones.
namespace haloscope {

struct KernelFile;

/// What a person says of a figure beside its kernel; each figure takes some of it.
struct FigureOptions {
  int points = figures::kBookSamples;
  std::optional<std::string> type;    ///< of the samples' derivatives; none: double, or what the kernel on screen has
  std::string over;                   ///< a tunable; empty: the first of a tile
  FigureTarget target;                ///< of opb, tail and registers
  bool sizes = false;                 ///< registers at each size of the tile, instead of the variants of the chapter
  std::optional<int> edge;            ///< of the small grid; none: as small as the window draws it
  std::string point;                  ///< of the small grid: "K,J,I", slowest axis first; empty: one beside the middle
  std::optional<std::uint32_t> warp;  ///< of the block, instead of a point of the small grid
  std::optional<std::int64_t> plane;  ///< of the boundary's grid; each command gives its --plane itself
};

/// Gives `haloscope figure ID` the options of its figure. `options` must outlive the command.
void addFigureOptions(CLI::App& command, const std::string& figure, FigureOptions& options);
/// Gives a command that draws any of the figures the options of all.
void addAllFigureOptions(CLI::App& command, FigureOptions& options);
/// Throws InputError for an option that was given to the command and that this figure has not; empty: no figure.
void expectOptionsOf(const CLI::App& command, const std::string& figure);

/// The tunable of `file` that OP/B runs over; empty if it has none. Throws InputError for --over of another.
[[nodiscard]] std::string tunableOf(const FigureOptions& options, const KernelFile& file);
/// What to show of the linear array. Throws InputError for a point, a grid or a warp that there is not, and for options
/// of a point beside a warp. A kernel without a stencil has no grid: its point is not looked at.
[[nodiscard]] LayoutFigure layoutOf(const FigureOptions& options, const experiment::Experiment& experiment,
                                    const figures::StencilShape& shape);
/// Throws InputError for a --plane that the boundary's grid has not.
void expectPlane(const FigureOptions& options, const figures::BlockBoundary& boundary);

}  // namespace haloscope
