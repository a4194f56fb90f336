#pragma once

#include "state/AppState.h"
#include "state/ProgramTimeline.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// Exact values of an array of an executed program.
void drawArrayTooltip(const ShownProgram& program, const Theme& theme, const ProgramRow& row);
/// What a column of the time line does, or what is folded there. `dense`: it shares its pixel with others.
void drawColumnTooltip(const ShownProgram& program, const Theme& theme, const FoldedColumns::Item& item, bool dense);

}  // namespace haloscope::ui
