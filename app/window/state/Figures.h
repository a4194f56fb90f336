#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "figures/CodeReport.h"
#include "figures/DerivativeErrors.h"
#include "figures/LaunchTail.h"
#include "figures/OpPerByteCurve.h"
#include "figures/ReuseBounds.h"
#include "figures/SineSamples.h"
#include "figures/TailCells.h"

namespace haloscope::experiment {
struct Experiment;
}
namespace haloscope::figures {
struct BlockBoundary;
struct ConstantUse;
struct StencilShape;
struct WarpLayout;
}  // namespace haloscope::figures

/// What the figures of the window show, and the user's settings of them. Each figure has a member of its own here.
namespace haloscope {

/// What a launch wastes where its blocks do not divide the domain.
struct TailFigure {
  std::string kernel;  ///< whose sizes these are
  Bindings sizes;      ///< the user's, for this figure only
  std::string size;    ///< the one on the slider

  // Filled by the App.
  std::shared_ptr<const figures::LaunchTail> tail;  ///< executed at `sizes`, or at the last ones
  std::shared_ptr<const figures::TailCells> cells;  ///< of `tail`
  std::shared_ptr<const figures::TailCurve> curve;
  figures::CodeTarget target;  ///< that waves are predicted for
  figures::CodeReport code;    ///< on it: how many blocks a multiprocessor holds; not done: not known yet
  bool counting = false;       ///< `tail` is not yet that of `sizes`

  /// Begins at these sizes of a kernel; the first of them is on the slider.
  void begin(const KernelFile& file, Bindings bindings) {
    *this = {};
    kernel = file.id;
    sizes = std::move(bindings);
    if (!file.sizes.empty()) { size = file.sizes.front().name; }
  }

  /// Whether `sizes` are of a text with these names: it may have been edited.
  [[nodiscard]] bool fits(const Bindings& bindings) const {
    return std::ranges::equal(sizes, bindings, {}, &Bindings::value_type::first, &Bindings::value_type::first);
  }
};

/// The OP/B explorer.
struct OpPerByteFigure {
  enum class Quantity : std::uint8_t { OpPerByte, Halo, IdleLanes };

  std::string tunable;  ///< the user's choice of the plot's axis; empty, or not of this kernel: the first
  Quantity quantity = Quantity::OpPerByte;

  // Filled by the App.
  figures::OpPerByteCurve curve;                ///< without a file: nothing yet
  std::vector<figures::VariantReuse> variants;  ///< of the catalogue, as far as they are executed
  std::size_t allVariants = 0;
  std::vector<figures::ReuseRow> rows;  ///< `variants` next to the formula
};

/// What the compiler gives each thread and block.
struct RegistersFigure {
  bool ofSizes = false;  ///< the kernel at each size of its tile, instead of the variants of its chapter

  // Filled by the App.
  std::string axis;                          ///< the tunable that the reports run over; empty: each is a variant
  std::vector<figures::CodeReport> reports;  ///< those not done are being compiled
  figures::CodeTarget target;
  std::string compiler;  ///< NVRTC's version
  std::string missing;   ///< why there is none, one sentence
};

/// The sine at some points, its derivative by the catalogue's kernels, and their errors.
struct DiscretiseFigure {
  std::int64_t points = figures::kBookSamples;  ///< from 0 to π; set by the user
  ValueType type = ValueType::F64;              ///< the user's choice, or that of the kernel on screen
  bool chosen = false;                          ///< it was named before any kernel was on screen
  std::shared_ptr<const figures::SineSamples> samples;
  std::shared_ptr<const std::vector<figures::ErrorCurve>> errors;  ///< of all kernels and types that are executed yet
  bool measuring = false;                                          ///< more errors are being executed
  std::string problem;                                             ///< why there is nothing to show; may be empty

  /// What the picture was asked for; the first kernel on screen does not change it.
  void choose(ValueType wanted) {
    type = wanted;
    chosen = true;
  }
};

/// The shape of the experiment's kernel, found while a figure shows it.
struct FoundShape {
  std::shared_ptr<const experiment::Experiment> experiment;  ///< what it is about; null: nothing was found yet
  std::shared_ptr<const figures::StencilShape> shape;        ///< null: there is a problem
  std::string problem;                                       ///< why the launch cannot be run again, one sentence
};

/// What lies in constant memory, and what reading it costs.
struct ConstantFigure {
  std::shared_ptr<const experiment::Experiment> experiment;  ///< what `use` is about
  std::shared_ptr<const figures::ConstantUse> use;           ///< null: there is a problem
  std::string problem;                                       ///< why nothing could be added up
};

/// The elements that a point, or a warp, needs in the linear array.
struct LayoutFigure {
  bool ofWarp = false;                               ///< instead of one point
  int edge = 5;                                      ///< of the small grid
  std::optional<std::array<std::int64_t, 3>> point;  ///< of the small grid, slowest axis first; none: its centre
  std::size_t operand = 0;                           ///< of the warp: the one whose elements are drawn

  // Filled by the App.
  std::shared_ptr<const experiment::Experiment> experiment;  ///< what `warp` is about
  std::uint32_t warpIndex = 0;
  std::shared_ptr<const figures::WarpLayout> warp;
};

/// The focused block at the edge of the array.
struct BoundaryFigure {
  std::optional<std::int64_t> plane;  ///< of the input; none: the middle one of the block's outputs

  // Filled by the App.
  std::shared_ptr<const experiment::Experiment> experiment;  ///< what `found` is about
  std::shared_ptr<const figures::BlockBoundary> found;       ///< null: there is a problem
  std::string problem;                                       ///< why the launch cannot be run again, one sentence
};

struct Figures {
  bool shown = false;             ///< their panel is on screen; written by the layout
  std::string inFront = "shape";  ///< id of the one that is drawn; of listedFigures()
  std::string problem;            ///< why one could not be computed; until another is chosen

  DiscretiseFigure discretise;
  FoundShape shape;
  ConstantFigure constant;
  LayoutFigure layout;
  BoundaryFigure boundary;
  OpPerByteFigure opPerByte;
  TailFigure tail;
  RegistersFigure registers;

  /// Whether this figure is on the screen: only then is it computed.
  [[nodiscard]] bool shows(const char* id) const { return shown && inFront == id; }
};

}  // namespace haloscope
