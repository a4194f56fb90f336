#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "state/AppState.h"

/// The numbers of a tuning map: what a cell says of each, and how bright it is.
namespace haloscope::ui {

inline constexpr std::array kTuningQuantities = {TuningQuantity::Time,      TuningQuantity::Bandwidth,
                                                 TuningQuantity::OfCopy,    TuningQuantity::Occupancy,
                                                 TuningQuantity::Registers, TuningQuantity::Spills};
[[nodiscard]] const char* name(TuningQuantity quantity);
[[nodiscard]] const char* meaning(TuningQuantity quantity);

/// Those that the map has: without a GPU there are no times.
[[nodiscard]] std::vector<TuningQuantity> quantitiesOf(const measuring::TuningMap& map);
/// What a cell has of it; nothing where that is not known (yet).
[[nodiscard]] std::optional<double> valueOf(const measuring::TuningCell& cell, TuningQuantity quantity);
/// 0…1, 1 the brightest: of a time, how near it is to the best one; of others, their share of the largest.
[[nodiscard]] float brightness(const measuring::TuningMap& map, TuningQuantity quantity, double value);
/// "0.646", "3,324", "0.80", "75 %", "40".
[[nodiscard]] std::string cellText(TuningQuantity quantity, double value);
/// What the darkest and the brightest cell stand for.
[[nodiscard]] std::array<std::string, 2> endsOf(const measuring::TuningMap& map, TuningQuantity quantity);

}  // namespace haloscope::ui
