#include "ui/Widgets.h"
#include "ui/figures/FigureList.h"

namespace haloscope::ui {

void drawShapeFigure(AppState& state, const Theme& theme) {
  label(theme, theme.colours().textDim, state.choice.kernel);
}

}  // namespace haloscope::ui
