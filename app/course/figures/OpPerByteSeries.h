#pragma once

#include <utility>
#include <vector>

#include "figures/OpPerByteCurve.h"

/// The series of the OP/B explorer: pairs of the tunable's value and a quantity, ascending.
namespace haloscope::figures {

using SeriesPoints = std::vector<std::pair<double, double>>;

/// Operations per byte loaded.
struct OpPerByteSeries {
  SeriesPoints formula;  ///< the header's
  SeriesPoints bound;    ///< its limit as tiles grow
  /// The bound if each element is loaded once, from the executed operations. Empty if it equals the formula's limit
  /// everywhere; only the plot's two ends if it is constant.
  SeriesPoints reuse;
  SeriesPoints executed;
};
[[nodiscard]] OpPerByteSeries opPerByteSeries(const OpPerByteCurve& curve);

/// Shares, 0…1. Without a header only the executed series.
struct ShareSeries {
  SeriesPoints byTile;        ///< by formula: for block size = input tile, or of the tiles themselves
  SeriesPoints byOutputTile;  ///< by formula: for block size = output tile; empty for the halo
  SeriesPoints executed;
};
/// Share of halo cells in the points that a block loads.
[[nodiscard]] ShareSeries haloSeries(const OpPerByteCurve& curve);
/// Idle lanes in the two thread organisations of PMPP 4e, section 7.4; executed: threads that store nothing.
[[nodiscard]] ShareSeries idleSeries(const OpPerByteCurve& curve);

}  // namespace haloscope::figures
