#pragma once

#include <utility>
#include <vector>

#include "figures/OpPerByteCurve.h"

/// What the OP/B explorer plots over the tunable: pairs of its value and a quantity, ascending.
namespace haloscope::figures {

using SeriesPoints = std::vector<std::pair<double, double>>;

/// Operations per byte loaded.
struct OpPerByteSeries {
  SeriesPoints formula;  ///< the header's
  SeriesPoints bound;    ///< its limit as tiles grow
  /// What is left when each element is loaded once, from the executed operations. Empty where it is the formula's limit
  /// everywhere; only the two ends of the plot where no value of the tunable moves it.
  SeriesPoints reuse;
  SeriesPoints executed;
};
[[nodiscard]] OpPerByteSeries opPerByteSeries(const OpPerByteCurve& curve);

/// Shares of 0 to 1. Without a header only what was executed.
struct ShareSeries {
  SeriesPoints byTile;        ///< by formula: of a block as large as its input tile, or of the tiles themselves
  SeriesPoints byOutputTile;  ///< by formula: of a block as large as its output tile; empty for the halo
  SeriesPoints executed;
};
/// Halo cells among what a block loads.
[[nodiscard]] ShareSeries haloSeries(const OpPerByteCurve& curve);
/// Lanes without work in the two organisations of PMPP 4e, section 7.4; executed: threads that store nothing.
[[nodiscard]] ShareSeries idleSeries(const OpPerByteCurve& curve);

}  // namespace haloscope::figures
