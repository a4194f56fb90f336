#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// One thing that is wrong with a program, in a paragraph with its place. A click goes there. `number` tells the rows
/// of a panel apart.
void drawProgramFault(AppState& state, const Theme& theme, const ProgramFault& fault, int number);

}  // namespace haloscope::ui
