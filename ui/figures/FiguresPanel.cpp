#include <imgui.h>

#include <array>
#include <vector>

#include "actions/Choices.h"
#include "language/Text.h"
#include "ui/figures/FigureDrawings.h"
#include "ui/widgets/Panel.h"
#include "ui/widgets/Widgets.h"

/// The book's figures: a row of buttons, and the chosen figure below.
namespace haloscope::ui {
namespace {

#define HALOSCOPE_ADDRESS(name, id, word, tip, wide) draw##name##Figure,
constexpr std::array kDrawings = {HALOSCOPE_FIGURES(HALOSCOPE_ADDRESS)};
#undef HALOSCOPE_ADDRESS

void drawFigures(AppState& state, const Theme& theme, const PanelTools&) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  std::vector<const char*> words, tips;
  for (const ListedFigure& figure : listedFigures()) {
    words.push_back(figure.word);
    tips.push_back(figure.tip);
  }
  const auto chosen = static_cast<int>(figureIndex(state.figures.inFront));
  const int now = choiceRow(theme, "figure", words, chosen, tips);
  if (now != chosen) { state.figures.problem.clear(); }
  const auto shown = static_cast<std::size_t>(now);
  state.figures.inFront = listedFigures()[shown].id;
  if (!state.figures.problem.empty()) { clippedLabel(theme, theme.colours().fault, state.figures.problem); }
  ImGui::Dummy({0, theme.px(2)});
  panelHeading(theme, tr(listedFigures()[shown].tip),
               state.experiment != nullptr ? shownName(state.catalogue, state.experiment->file.id) : std::string());
  if (ImGui::BeginChild("figure", {0, 0}, ImGuiChildFlags_None, ImGuiWindowFlags_NoSavedSettings)) {
    kDrawings.at(shown)(state, theme);
  }
  ImGui::EndChild();
}

template <int by>
void showNeighbourFigure(AppState& state) {
  state.figures.inFront = neighbourFigure(state.figures.inFront, by).id;
}

bool figureInFront(const AppState& state) { return state.view.tabs.inFront(Tab::Figures); }

constexpr std::array kFiguresKeys = {
    Shortcut{.act = toggleTab<Tab::Figures>,
             .group = KeyGroup::Field,
             .text = trMark("the book's figures in front"),
             .keys = ImGuiKey_P},
    Shortcut{.act = showNeighbourFigure<1>,
             .group = KeyGroup::Field,
             .text = trMark("next figure"),
             .sign = '.',
             .when = figureInFront},
    Shortcut{.act = showNeighbourFigure<-1>,
             .group = KeyGroup::Field,
             .text = trMark("previous figure"),
             .sign = ',',
             .when = figureInFront},
};

}  // namespace

extern const Panel kFiguresPanel = {
    .tab = Tab::Figures, .title = trMark("Figures"), .draw = drawFigures, .shortcuts = kFiguresKeys};

}  // namespace haloscope::ui
