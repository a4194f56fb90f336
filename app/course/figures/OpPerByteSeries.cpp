#include "figures/OpPerByteSeries.h"

#include <algorithm>
#include <cmath>

#include "figures/ThreadOrganisation.h"

namespace haloscope::figures {

namespace {

constexpr double kSame = 1e-3;  ///< relative; bounds closer than this are drawn once

/// Whether a header declares the tile; only then is there a formula.
bool hasTile(const OpPerByteCurve& curve, const OpPerBytePoint& point) {
  return !point.count->tile.empty() && curve.file->computes.has_value();
}

}  // namespace

OpPerByteSeries opPerByteSeries(const OpPerByteCurve& curve) {
  OpPerByteSeries series;
  for (const FormulaSample& sample : curve.line) {
    const auto value = static_cast<double>(sample.value);
    series.formula.emplace_back(value, sample.opPerByte);
    if (sample.bound) { series.bound.emplace_back(value, *sample.bound); }
  }
  bool other = false;
  for (const OpPerBytePoint& point : curve.points) {
    if (!point.count) { continue; }
    const auto value = static_cast<double>(point.value);
    const double reuse = point.count->reuseBound();
    series.executed.emplace_back(value, point.executed());
    series.reuse.emplace_back(value, reuse);
    other |= !point.bound || std::abs(*point.bound - reuse) > kSame * reuse;
  }
  if (!other) { series.reuse.clear(); }
  const bool flat = series.reuse.size() > 1 && std::ranges::all_of(series.reuse, [&](const auto& one) {
                      return one.second == series.reuse.front().second;
                    });
  if (flat) {
    series.reuse = {{static_cast<double>(curve.lowest), series.reuse.front().second},
                    {static_cast<double>(curve.highest), series.reuse.front().second}};
  }
  return series;
}

ShareSeries haloSeries(const OpPerByteCurve& curve) {
  ShareSeries series;
  for (const OpPerBytePoint& point : curve.points) {
    if (!point.count) { continue; }
    const auto value = static_cast<double>(point.value);
    if (const auto halo = point.count->block.haloFraction) { series.executed.emplace_back(value, *halo); }
    if (hasTile(curve, point)) { series.byTile.emplace_back(value, haloOfTile(point.count->tile)); }
  }
  return series;
}

ShareSeries idleSeries(const OpPerByteCurve& curve) {
  ShareSeries series;
  for (const OpPerBytePoint& point : curve.points) {
    if (!point.count) { continue; }
    const auto value = static_cast<double>(point.value);
    series.executed.emplace_back(value, point.count->withoutOutput());
    if (!hasTile(curve, point)) { continue; }
    const ThreadOrganisation organisation = organisationOf(point.count->tile);
    series.byTile.emplace_back(value, organisation.idleComputing());
    series.byOutputTile.emplace_back(value, organisation.idleLoading());
  }
  return series;
}

}  // namespace haloscope::figures
