#pragma once

#include "state/ChoiceHistory.h"

/// Choices are undone, and redone.
namespace haloscope {

struct AppState;

void undoChoice(AppState& state);
void redoChoice(AppState& state);

}  // namespace haloscope
