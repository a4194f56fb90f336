#include <imgui.h>

#include <vector>

#include "ui/figures/FigureList.h"
#include "ui/panels/Panels.h"
#include "ui/widgets/Widgets.h"

/// The book's figures: a row of words to choose from, and the chosen one below.
namespace haloscope::ui {

void drawFigures(AppState& state, const Theme& theme) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  std::vector<const char*> words, tips;
  for (const Figure& figure : figures()) {
    words.push_back(figure.word);
    tips.push_back(figure.tip);
  }
  const Figure& shown = figureOf(state.figures.inFront);
  const auto chosen = static_cast<int>(&shown - figures().data());
  const int now = choiceRow(theme, "figure", words, chosen, tips);
  if (now != chosen) { state.figures.problem.clear(); }
  state.figures.inFront = figures()[static_cast<std::size_t>(now)].id;
  if (!state.figures.problem.empty()) { clippedLabel(theme, theme.colours().fault, state.figures.problem); }
  ImGui::Dummy({0, theme.px(4)});
  if (ImGui::BeginChild("figure", {0, 0}, ImGuiChildFlags_None, ImGuiWindowFlags_NoSavedSettings)) {
    figureOf(state.figures.inFront).draw(state, theme);
  }
  ImGui::EndChild();
}

}  // namespace haloscope::ui
