#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui.h>
#include <implot.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "actions/Choices.h"
#include "actions/PlaygroundActions.h"
#include "language/Text.h"
#include "state/Playground.h"
#include "ui/widgets/Panel.h"
#include "ui/widgets/Slider.h"
#include "ui/widgets/Widgets.h"

/// The playground's controls: which problem, by which kernel, and what can be turned while it runs.
namespace haloscope::ui {
namespace {

void heading(const Theme& theme, const std::string& text) {
  ImGui::Dummy({0, theme.px(4)});
  label(theme, theme.colours().textDim, text, Face::SansStrong);
}

void sentence(const Theme& theme, ImU32 colour, const std::string& text) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  ImGui::PushTextWrapPos(0);
  ImGui::PushStyleColor(ImGuiCol_Text, colour);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopStyleColor();
  ImGui::PopTextWrapPos();
}

void drawProblems(AppState& state, const Theme& theme, const KernelFile* played) {
  ImGui::SetNextItemWidth(-1);
  const char* const shown = played != nullptr ? tr(played->title) : tr("choose a problem");
  if (ImGui::BeginCombo("##problem", shown, ImGuiComboFlags_HeightLargest)) {
    std::string chosen;
    for (const KernelFile* problem : playgroundProblems(state.catalogue)) {
      if (ImGui::Selectable((std::string(tr(problem->title)) + "###" + shortName(problem->id)).c_str(),
                            problem == played)) {
        chosen = problem->id;
      }
    }
    ImGui::EndCombo();
    if (!chosen.empty()) { startProblem(state, chosen); }
  }
  if (played != nullptr) { sentence(theme, theme.colours().textDim, tr(played->idea)); }
}

void drawPlaySizes(AppState& state, const Theme& theme, const KernelFile& played) {
  const auto offered = playSizes(played);
  std::array<std::string, offered.size()> texts;
  std::array<const char*, offered.size()> words{};
  for (std::size_t i = 0; i < offered.size(); ++i) { words[i] = (texts[i] = std::to_string(offered[i])).c_str(); }
  const KernelFile& engine = *chosenFile(state);
  std::vector<std::int64_t> sizes;
  for (const SizeParameter& size : engine.sizes) { sizes.push_back(chosenValue(engine, state.choice, size.name)); }
  const bool square = std::ranges::all_of(sizes, [&](std::int64_t size) { return size == sizes.front(); });
  const auto at = square ? std::ranges::find(offered, sizes.front()) - offered.begin() : std::ssize(words);
  heading(theme, at < std::ssize(words)
                     ? std::string(tr("Points along each axis"))
                     : trf("Points along each axis: {}", fmt::format("{}", fmt::join(sizes, " × "))));
  const int chosen = choiceRow(theme, "size", words, static_cast<int>(at));
  if (chosen != at && chosen < std::ssize(words)) {
    choosePlaySize(state, offered.at(static_cast<std::size_t>(chosen)));
  }
  if (!state.playground.sizeNote.empty()) { sentence(theme, theme.colours().textDim, state.playground.sizeNote); }
}

std::string rateText(double rate) { return rate >= 10 ? fmt::format("{:.0f}", rate) : fmt::format("{:.1f}", rate); }

/// How the sweeps are executed: where, and by what.
std::string placeText(const AppState& state) {
  switch (state.field.path) {
    case FieldPath::Interop:
      return trf("on {}, drawn from its memory", state.gpuName);
    case FieldPath::HostCopy:
      return trf("on {}, copied to be drawn", state.gpuName);
    case FieldPath::Emulator:
      return state.field.machineCode ? tr("on the CPU, as machine code made of the kernel's text")
                                     : tr("on the emulator, which executes the kernel's text");
    case FieldPath::None:
      break;
  }
  return {};
}

/// Each engine with the rate that was measured last, as a bar.
void drawEngines(AppState& state, const Theme& theme, const KernelFile& played) {
  heading(theme, tr("Engine: the kernel that computes it"));
  const std::vector<const KernelFile*> engines = enginesOf(state.catalogue, played);
  const auto& rates = state.playground.rates;
  double best = 0;
  for (const auto& [id, rate] : rates) { best = std::max(best, rate); }
  const FontScope font(theme, Face::Mono, TextSize::Small);
  std::string chosen;
  const float line = ImGui::GetTextLineHeight() + theme.px(6);
  const float most = line * static_cast<float>(std::min<std::size_t>(engines.size(), 6)) + theme.px(3);
  if (ImGui::BeginChild("engines", {0, most}, ImGuiChildFlags_NavFlattened)) {
    for (const KernelFile* engine : engines) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float width = ImGui::GetContentRegionAvail().x;
      const auto rate = rates.find(engine->id);
      ImDrawList* list = ImGui::GetWindowDrawList();
      if (rate != rates.end() && best > 0) {
        const auto share = static_cast<float>(rate->second / best);
        list->AddRectFilled({at.x, at.y + line - theme.px(5)}, {at.x + width * share, at.y + line - theme.px(2)},
                            theme.colours().series);
      }
      if (ImGui::Selectable(("###" + engine->id).c_str(), engine->id == state.choice.kernel, 0,
                            {width, line - theme.px(6)})) {
        chosen = engine->id;
      }
      ImGui::SetItemTooltip("%s", tr(engine->idea));
      const std::string text = rate != rates.end() ? trf("{} / s", rateText(rate->second)) : std::string();
      const float right = at.x + width - textWidth(text) - theme.px(4);
      clippedTextAt(list, {at.x + theme.px(4), at.y}, right - at.x - theme.px(12), theme.colours().text, engine->id);
      textAt(list, {right, at.y}, theme.colours().textDim, text);
    }
  }
  ImGui::EndChild();
  if (!chosen.empty()) { chooseEngine(state, chosen); }
}

void drawPace(AppState& state, const Theme& theme) {
  const double rate = state.field.sweepsPerSecond;
  heading(theme, tr("Sweeps a second, at most"));
  static constexpr std::array<double, 5> kPaces{2, 10, 60, 240, 0};
  static constexpr std::array kWords{"2", "10", "60", "240", trMark("as fast as it goes")};
  const auto at = std::ranges::find(kPaces, state.playground.perSecond) - kPaces.begin();
  const int chosen = choiceRow(theme, "pace", kWords, static_cast<int>(at));
  if (chosen < std::ssize(kPaces)) { state.playground.perSecond = kPaces.at(static_cast<std::size_t>(chosen)); }
  sentence(theme, theme.colours().text,
           rate > 0 ? trf("{} sweeps a second, {}", rateText(rate), placeText(state)) : placeText(state));
}

void drawCoefficients(AppState& state, const Theme& theme, const KernelFile& played) {
  for (const Tunable* tunable : played.coefficientsOfProblem()) {
    std::int64_t value = coefficientOf(state, *tunable);
    ImGui::Dummy({0, theme.px(2)});
    sentence(theme, theme.colours().textDim, tr(tunable->meaning));
    const FontScope font(theme, Face::Mono, TextSize::Small);
    const float number = textWidth("0000");
    const std::string id = "##" + tunable->name;
    const ImVec2 row = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x - number - theme.px(8);
    if (Slider{id.c_str(), tunable->minimum, tunable->maximum, width}.draw(theme, value)) {
      chooseCoefficient(state, tunable->name, value);
    }
    const std::string text = std::to_string(value);
    textAt(ImGui::GetWindowDrawList(),
           {row.x + width + theme.px(8) + number - textWidth(text),
            row.y + (ImGui::GetItemRectSize().y - ImGui::GetTextLineHeight()) / 2},
           theme.colours().text, text);
  }
}

void drawBrush(AppState& state, const Theme& theme, const KernelFile& played) {
  const auto& brushes = played.problem->brushes;
  if (brushes.empty()) { return; }
  heading(theme, tr("Brush"));
  if (brushes.size() > 1) {
    std::vector<const char*> names;
    for (const SweptProblem::Brush& brush : brushes) { names.push_back(brush.array.c_str()); }
    const int chosen = choiceRow(theme, "brush", names, static_cast<int>(state.playground.brush));
    state.playground.brush = static_cast<std::size_t>(chosen);
  }
  std::int64_t radius = std::lround(state.fieldControls.brushRadius);
  if (Slider{"##radius", 0, 24, ImGui::GetContentRegionAvail().x}.draw(theme, radius)) {
    state.fieldControls.brushRadius = static_cast<float>(radius);
  }
  const bool volume = state.fieldControls.volume && state.field.extents.size() == 3;
  const bool never = state.field.path != FieldPath::None && !state.field.paintable;
  sentence(theme, theme.colours().textDim,
           never ? tr("In a child process the field cannot be painted.")
           : volume
               ? tr("Paint in a slice: a volume can only be turned.")
               : trf("Drag in the picture to write {} to {}; with Shift {}.", brushes[state.playground.brush].paint,
                     brushes[state.playground.brush].array, brushes[state.playground.brush].erase));
}

/// The filter's cells, which can be typed.
void drawFilter(AppState& state, const Theme& theme, const KernelFile& played) {
  const auto& filters = played.problem->filters;
  if (filters.empty()) { return; }
  heading(theme, tr("Filter"));
  std::vector<double> weights = chosenFilter(state);
  const auto same = std::ranges::find(filters, weights, &SweptProblem::Filter::weights);
  ImGui::SetNextItemWidth(-1);
  if (ImGui::BeginCombo("##filter", same != filters.end() ? tr(same->name) : tr("your own"))) {
    for (const SweptProblem::Filter& filter : filters) {
      if (ImGui::Selectable((std::string(tr(filter.name)) + "###" + filter.name).c_str(), filter.weights == weights)) {
        chooseFilter(state, filter.weights);
      }
    }
    ImGui::EndCombo();
  }
  const auto edge = static_cast<int>(std::lround(std::sqrt(static_cast<double>(weights.size()))));
  if (edge > 7) { return; }
  const FontScope font(theme, Face::Mono, TextSize::Small);
  const float gap = theme.px(4);
  const float width = (ImGui::GetContentRegionAvail().x - gap * static_cast<float>(std::max(edge - 1, 0))) /
                      static_cast<float>(std::max(edge, 1));
  bool changed = false;
  for (int i = 0; i < edge * edge; ++i) {
    if (i % edge != 0) { ImGui::SameLine(0, gap); }
    ImGui::SetNextItemWidth(width);
    double& weight = weights[static_cast<std::size_t>(i)];
    changed |= ImGui::InputDouble(fmt::format("##weight {}", i).c_str(), &weight, 0, 0, "%.3g",
                                  ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  }
  if (changed) { chooseFilter(state, weights); }
  sentence(theme, theme.colours().textDim,
           tr("Type a number, then Enter. Drop a PNG or JPEG on the window to filter it."));
  if (!state.playground.trouble.empty()) { sentence(theme, theme.colours().fault, state.playground.trouble); }
}

void drawResidual(const AppState& state, const Theme& theme, const KernelFile& played) {
  if (!played.problem->residual) { return; }
  heading(theme, tr("Residual: what is left to be solved"));
  const std::vector<FieldStatus::Residual>& all = state.field.residuals;
  if (all.empty()) { return; }
  const FontScope font(theme, Face::Sans, TextSize::Small);
  std::vector<double> sweeps;
  std::vector<double> values;
  for (const FieldStatus::Residual& one : all) {
    if (one.value <= 0) { continue; }
    sweeps.push_back(static_cast<double>(one.sweeps));
    values.push_back(one.value);
  }
  const ImVec2 size{ImGui::GetContentRegionAvail().x,
                    std::max(theme.px(110), ImGui::GetContentRegionAvail().y - 2 * ImGui::GetTextLineHeight())};
  constexpr ImPlotFlags kFlags = ImPlotFlags_CanvasOnly | ImPlotFlags_NoInputs;
  if (values.size() > 1 && ImPlot::BeginPlot("###residual", size, kFlags)) {
    const auto [low, high] = std::ranges::minmax(values);
    ImPlot::SetupAxis(ImAxis_X1, nullptr, ImPlotAxisFlags_NoHighlight);
    ImPlot::SetupAxis(ImAxis_Y1, nullptr, ImPlotAxisFlags_NoHighlight);
    ImPlot::SetupAxisScale(ImAxis_Y1, ImPlotScale_Log10);
    ImPlot::SetupAxisFormat(ImAxis_Y1, "%.0e");
    ImPlot::SetupAxesLimits(0, std::max(sweeps.back(), 1.0), low / 2, high * 2, ImPlotCond_Always);
    ImPlotSpec style;
    style.LineColor = ImGui::ColorConvertU32ToFloat4(theme.colours().output);
    style.LineWeight = theme.px(2);
    ImPlot::PlotLine("###line", sweeps.data(), values.data(), static_cast<int>(values.size()), style);
    ImPlot::EndPlot();
  }
  sentence(theme, theme.colours().textDim,
           trf("{:.3g} after {} sweeps: root mean square over {} points", all.back().value, all.back().sweeps,
               all.back().points));
}

void drawPlayground(AppState& state, const Theme& theme, const PanelTools&) {
  const KernelFile* played = playedProblem(state);
  panelHeading(theme, tr("Playground"), played != nullptr ? played->id : std::string());
  drawProblems(state, theme, played);
  played = playedProblem(state);
  if (played == nullptr) {
    if (!state.playground.problem.empty()) {
      sentence(
          theme, theme.colours().textDim,
          trf("{} does not compute this problem: choose one again.", shownName(state.catalogue, state.choice.kernel)));
    }
    return;
  }
  drawEngines(state, theme, *played);
  drawPace(state, theme);
  drawPlaySizes(state, theme, *played);
  drawCoefficients(state, theme, *played);
  drawFilter(state, theme, *played);
  drawBrush(state, theme, *played);
  drawResidual(state, theme, *played);
}

constexpr std::array kPlaygroundKeys = {
    Shortcut{.act = toggleTab<Tab::Playground, Tab::Field>,
             .group = KeyGroup::Field,
             .text = trMark("the playground"),
             .keys = ImGuiKey_Q},
};

}  // namespace

extern const Panel kPlaygroundPanel = {
    .tab = Tab::Playground, .title = trMark("Playground"), .draw = drawPlayground, .shortcuts = kPlaygroundKeys};

}  // namespace haloscope::ui
