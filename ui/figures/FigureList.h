#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

/// The book's figures as things to touch: each is derived from the chosen kernel, one file each in this folder.
namespace haloscope::ui {

struct Figure {
  const char* id;    ///< of the command line and of Figures::inFront: "shape"
  const char* word;  ///< by which it is chosen
  const char* tip;   ///< what it shows, and where the book has it
  void (*draw)(AppState& state, const Theme& theme);
  bool wide = false;  ///< says nothing about the current step: it takes the room of the timeline and of the plots too
};

/// In the order of the book.
[[nodiscard]] std::span<const Figure> figures();
/// The figure with this id; the first one if there is none.
[[nodiscard]] const Figure& figureOf(std::string_view id);
/// The one `by` places on, round and round.
[[nodiscard]] const Figure& neighbourFigure(std::string_view id, int by);
[[nodiscard]] std::vector<std::string> figureIds();

void drawShapeFigure(AppState& state, const Theme& theme);
void drawDiscretiseFigure(AppState& state, const Theme& theme);
void drawLayoutFigure(AppState& state, const Theme& theme);
void drawBoundaryFigure(AppState& state, const Theme& theme);
void drawOpPerByteFigure(AppState& state, const Theme& theme);
void drawConstantFigure(AppState& state, const Theme& theme);
void drawTailFigure(AppState& state, const Theme& theme);
void drawRegistersFigure(AppState& state, const Theme& theme);

}  // namespace haloscope::ui
