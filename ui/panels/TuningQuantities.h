#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "state/AppState.h"

/// The quantities of a tuning map: values, texts and brightness of cells.
namespace haloscope::ui {

inline constexpr std::array kTuningQuantities = {TuningQuantity::Time,      TuningQuantity::Bandwidth,
                                                 TuningQuantity::OfCopy,    TuningQuantity::Occupancy,
                                                 TuningQuantity::Registers, TuningQuantity::Spills};
[[nodiscard]] const char* name(TuningQuantity quantity);
[[nodiscard]] const char* meaning(TuningQuantity quantity);

/// The quantities that the map has: without a GPU there are no times.
[[nodiscard]] std::vector<TuningQuantity> quantitiesOf(const measuring::TuningMap& map);
/// A cell's value; nothing if it is not known (yet).
[[nodiscard]] std::optional<double> valueOf(const measuring::TuningCell& cell, TuningQuantity quantity);
/// Brightness, 0…1: best time / time, occupancy itself, and value / largest of the others.
[[nodiscard]] float brightness(const measuring::TuningMap& map, TuningQuantity quantity, double value);
/// "0.646", "3,324", "0.80", "75 %", "40".
[[nodiscard]] std::string cellText(TuningQuantity quantity, double value);
/// Labels of the darkest and the brightest cell.
[[nodiscard]] std::array<std::string, 2> endsOf(const measuring::TuningMap& map, TuningQuantity quantity);

}  // namespace haloscope::ui
