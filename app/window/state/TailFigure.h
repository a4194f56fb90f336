#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "figures/CodeReport.h"
#include "figures/LaunchTail.h"
#include "figures/TailCells.h"

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

}  // namespace haloscope
