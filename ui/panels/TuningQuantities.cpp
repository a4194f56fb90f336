#include "ui/panels/TuningQuantities.h"

#include <fmt/format.h>

#include <algorithm>

#include "language/Text.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

double largest(const measuring::TuningMap& map, TuningQuantity quantity) {
  double most = 0;
  for (const measuring::TuningCell& cell : map.cells) { most = std::max(most, valueOf(cell, quantity).value_or(0)); }
  return most;
}

double smallest(const measuring::TuningMap& map, TuningQuantity quantity) {
  double least = largest(map, quantity);
  for (const measuring::TuningCell& cell : map.cells) {
    least = std::min(least, valueOf(cell, quantity).value_or(least));
  }
  return least;
}

}  // namespace

const char* name(TuningQuantity quantity) {
  switch (quantity) {
    case TuningQuantity::Time:
      return "ms";
    case TuningQuantity::Bandwidth:
      return "GB/s";
    case TuningQuantity::OfCopy:
      return tr("of copy");
    case TuningQuantity::Occupancy:
      return tr("occupancy");
    case TuningQuantity::Registers:
      return tr("registers");
    case TuningQuantity::Spills:
      return tr("spills");
  }
  return "";
}

const char* meaning(TuningQuantity quantity) {
  switch (quantity) {
    case TuningQuantity::Time:
      return tr("median time of a launch, in milliseconds");
    case TuningQuantity::Bandwidth:
      return tr("bytes of all arrays, each counted once, divided by the median time");
    case TuningQuantity::OfCopy:
      return tr("effective bandwidth divided by this GPU's copy bandwidth");
    case TuningQuantity::Occupancy:
      return tr("resident warps of a multiprocessor, divided by its maximum");
    case TuningQuantity::Registers:
      return tr("registers per thread");
    case TuningQuantity::Spills:
      return tr("bytes per thread spilled to local memory for lack of registers");
  }
  return "";
}

std::vector<TuningQuantity> quantitiesOf(const measuring::TuningMap& map) {
  std::vector<TuningQuantity> all;
  for (const TuningQuantity quantity : kTuningQuantities) {
    const bool ofTime = quantity == TuningQuantity::Time || quantity == TuningQuantity::Bandwidth;
    if ((ofTime && !map.timing) || (quantity == TuningQuantity::OfCopy && (!map.timing || map.copyGBs <= 0))) {
      continue;
    }
    all.push_back(quantity);
  }
  return all;
}

std::optional<double> valueOf(const measuring::TuningCell& cell, TuningQuantity quantity) {
  if (!cell.limit.empty() || !cell.compiled) { return std::nullopt; }
  const auto known = [](bool is, double value) { return is ? std::optional(value) : std::nullopt; };
  switch (quantity) {
    case TuningQuantity::Time:
      return known(cell.timed(), cell.time.medianMs);
    case TuningQuantity::Bandwidth:
      return known(cell.timed(), cell.effectiveGBs);
    case TuningQuantity::OfCopy:
      return known(cell.timed(), cell.fractionOfCopy);
    case TuningQuantity::Occupancy:
      return cell.occupancy.share;
    case TuningQuantity::Registers:
      return known(cell.registers > 0, cell.registers);
    case TuningQuantity::Spills:
      return known(cell.registers > 0, cell.spillBytes);
  }
  return std::nullopt;
}

float brightness(const measuring::TuningMap& map, TuningQuantity quantity, double value) {
  if (quantity == TuningQuantity::Occupancy) { return static_cast<float>(value); }
  const double share = quantity == TuningQuantity::Time ? smallest(map, quantity) / std::max(value, 1e-9)
                                                        : value / std::max(largest(map, quantity), 1e-9);
  return static_cast<float>(share);
}

std::string cellText(TuningQuantity quantity, double value) {
  switch (quantity) {
    case TuningQuantity::Time:
      return value >= 10    ? fmt::format("{:.1f}", value)
             : value >= 0.1 ? fmt::format("{:.2f}", value)
                            : fmt::format("{:.3f}", value);
    case TuningQuantity::OfCopy:
      return fmt::format("{:.2f}", value);
    case TuningQuantity::Occupancy:
      return percentText(value);
    default:
      return fmt::format("{:.0f}", value);
  }
}

std::array<std::string, 2> endsOf(const measuring::TuningMap& map, TuningQuantity quantity) {
  switch (quantity) {
    case TuningQuantity::Time:
      return {tr("slower"), cellText(quantity, smallest(map, quantity)) + " ms"};
    case TuningQuantity::Occupancy:
      return {"0", "100 %"};
    default:
      return {"0", cellText(quantity, largest(map, quantity))};
  }
}

}  // namespace haloscope::ui
