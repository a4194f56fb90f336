#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "experiment/Experiment.h"
#include "ui/widgets/Theme.h"

/// The heat column next to the kernel's source: what each line cost, from the counts of the whole grid.
namespace haloscope::ui {

enum class HeatMeasure : int { Flops, GlobalBytes, Lanes, Sectors, Banks };

/// One line of the text.
struct LineHeat {
  bool counted = false;  ///< a statement begins here
  double bar = 0;        ///< 0…1 of the column's width
};

/// Per line of the text, index 0 being line 1. Of flops and global bytes the longest bar is the largest share; of lanes
/// a full bar means that all 32 lanes of a warp were active; of sectors and banks it is 32 of a request.
[[nodiscard]] std::vector<LineHeat> statementHeat(const experiment::Experiment& experiment, HeatMeasure measure);
[[nodiscard]] ImU32 heatColour(const Theme& theme, HeatMeasure measure);

/// The source panel's heading: its title and the choice of the measure, which is remembered and returned.
HeatMeasure heatHeading(const Theme& theme, const std::string& title);
/// What the bars mean.
void heatLegend(const Theme& theme, const experiment::Experiment& experiment, HeatMeasure measure);
/// Counts of the statements on a line.
void lineTooltip(const Theme& theme, const experiment::Experiment& experiment, int line);

}  // namespace haloscope::ui
