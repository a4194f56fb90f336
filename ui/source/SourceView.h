#pragma once

#include <vector>

#include "frontend/CodeText.h"
#include "state/AppState.h"
#include "ui/source/SourceSearch.h"
#include "ui/source/StatementHeat.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// The text to be read: the current statement, a bar of what each line cost, findings and barriers at their lines.
/// Fills the width of the current window and is as high as the text; scrolls to the statement when the cursor moves.
/// There must be an experiment. `found`: what the search found in these lines.
void drawSourceView(AppState& state, const Theme& theme, HeatMeasure measure, std::vector<Occurrence> found);
/// The lines of that text, all of them. Valid until the CodeReader's are not.
[[nodiscard]] const std::vector<CodeLine>& shownLines(AppState& state);
/// Of one row of the text, in the current font.
[[nodiscard]] float sourceRowHeight();

}  // namespace haloscope::ui
