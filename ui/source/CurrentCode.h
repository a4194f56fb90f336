#pragma once

#include "program/SourceLocation.h"
#include "state/AppState.h"
#include "ui/source/RowText.h"
#include "ui/widgets/Theme.h"

/// What the views of the kernel's text have in common: where the step is, and which names have a colour.
namespace haloscope::ui {

/// Of the experiment on screen, which must be there.
[[nodiscard]] NameColours nameColours(const AppState& state, const Theme& theme);

/// The statement that the cursor's step executed, and the call that it was inlined at.
struct CurrentCode {
  SourceRange statement, call;
};
/// Nowhere before the first step.
[[nodiscard]] CurrentCode currentCode(const AppState& state);

}  // namespace haloscope::ui
