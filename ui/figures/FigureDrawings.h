#pragma once

#include "parts/FigureList.h"
#include "state/AppState.h"
#include "ui/widgets/Theme.h"

/// The book's figures, drawn: one file a figure in this folder.
namespace haloscope::ui {

// drawShapeFigure and so on, one for each figure of the list.
#define HALOSCOPE_DRAW(name, id, word, tip, wide) void draw##name##Figure(AppState& state, const Theme& theme);
HALOSCOPE_FIGURES(HALOSCOPE_DRAW)
#undef HALOSCOPE_DRAW

}  // namespace haloscope::ui
