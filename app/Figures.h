#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "figures/DerivativeErrors.h"
#include "figures/SineSamples.h"

/// What the figures of the window show, and what the person wants of them. Each figure has a member of its own here.
namespace haloscope {

/// The sine at some points, its derivative by the catalogue's kernels, and their errors.
struct DiscretiseFigure {
  std::int64_t points = figures::kBookSamples;  ///< from 0 to π; the person's
  ValueType type = ValueType::F64;              ///< the person's
  std::shared_ptr<const figures::SineSamples> samples;
  std::shared_ptr<const std::vector<figures::ErrorCurve>> errors;  ///< of all kernels and types that are executed yet
  bool measuring = false;                                          ///< more errors are being executed
  std::string problem;                                             ///< why there is nothing to show; may be empty
};

struct Figures {
  bool shown = false;             ///< their panel is on the screen; written by the layout
  std::string inFront = "shape";  ///< id of the one that is drawn; of ui::figures()

  DiscretiseFigure discretise;

  /// Whether this figure is on the screen: only then is it computed.
  [[nodiscard]] bool shows(const char* id) const { return shown && inFront == id; }
};

}  // namespace haloscope
