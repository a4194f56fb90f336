#include "ui/window/ExportWindow.h"

#include <imgui.h>
#include <misc/cpp/imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <system_error>
#include <vector>

#include "actions/Choices.h"
#include "actions/ExportActions.h"
#include "actions/PresentingActions.h"
#include "language/Text.h"
#include "program/SourceLocation.h"
#include "ui/widgets/Widgets.h"
#include "ui/window/PanelList.h"

namespace haloscope::ui {

namespace fs = std::filesystem;

namespace {

constexpr float kNameWidth = 90, kFieldWidth = 400, kNumberWidth = 110;  // at scale 1
constexpr int kLargestSide = 4096;

/// What can be exported now: what is on screen.
std::vector<Tab> exportable(const AppState& state) {
  if (state.presenting.on) { return hallOf(state); }
  const std::set<Tab>& shown = state.view.tabs.onScreen();
  return {shown.begin(), shown.end()};
}

void fieldName(const Theme& theme, const char* text) {
  ImGui::AlignTextToFramePadding();
  label(theme, theme.colours().textDim, text);
  ImGui::SameLine(theme.px(kNameWidth));
}

bool numberField(const Theme& theme, const char* id, int& value, int least, int most) {
  ImGui::SetNextItemWidth(theme.px(kNumberWidth));
  const bool changed = ImGui::InputInt(id, &value);
  value = std::clamp(value, least, most);
  return changed;
}

}  // namespace

void ExportWindow::follow(AppState& state) {
  ExportPlan& plan = state.exporting.plan;
  const std::vector<ExportFormat> formats = formatsOf(plan.panel);
  if (std::ranges::find(formats, plan.format) == formats.end()) { plan.format = ExportFormat::Png; }
  if (!named_) {
    std::string file = shortName(state.choice.kernel) + "-" + nameOf(plan.panel);
    std::ranges::replace(file, '/', '-');
    path_ = (fs::path(folder_) / file).string() + endingOf(plan.format);
  } else {
    path_ = fs::path(path_).replace_extension(endingOf(plan.format)).string();
  }
  look(state);
}

void ExportWindow::look(AppState& state) {
  const fs::path path = path_;
  output_ = path.is_absolute() ? path : fs::path(folder_) / path;
  std::error_code error;
  replaces_ = fs::exists(output_, error);
  problem_.clear();
  ExportPlan named = state.exporting.plan;
  named.output = output_;
  try {
    named.format = exportFormat(output_);
    expectExportable(applicable(named));
    state.exporting.plan.format = named.format;
  } catch (const InputError& problem) { problem_ = problem.what(); }
}

void ExportWindow::begin(AppState& state) {
  const std::vector<Tab> panels = exportable(state);
  Tab& panel = state.exporting.plan.panel;
  if (std::ranges::find(panels, panel) == panels.end() && !panels.empty()) { panel = panels.front(); }
  if (folder_.empty()) {
    std::error_code error;
    const auto copy = state.copies.find(state.choice.kernel);
    const bool own = copy != state.copies.end() && copy->second.opened;
    folder_ = (own ? copy->second.path.parent_path() : fs::current_path(error)).string();
  }
  state.exporting.plan.steps = wholeMovement(state, panel);
  named_ = false;
  follow(state);
}

void ExportWindow::drawPanelChoice(AppState& state) {
  ExportPlan& plan = state.exporting.plan;
  if (!ImGui::BeginCombo("##panel", tr(panelOf(plan.panel).title))) { return; }
  for (const Tab panel : exportable(state)) {
    if (!ImGui::Selectable(tr(panelOf(panel).title), panel == plan.panel)) { continue; }
    plan.panel = panel;
    plan.steps = wholeMovement(state, panel);
    follow(state);
  }
  ImGui::EndCombo();
}

void ExportWindow::drawFormatChoice(AppState& state, const Theme& theme) {
  constexpr std::array kWords = {trMark("PNG"),  trMark("SVG"), trMark("GIF"), trMark("MP4"),
                                 trMark("WebM"), trMark("CSV"), trMark("JSON")};
  constexpr std::array kTips = {trMark("a picture of pixels"),
                                trMark("vector graphics: sharp at any size, with the words as text"),
                                trMark("an animation of the steps"),
                                trMark("an animation of the steps, by ffmpeg"),
                                trMark("an animation of the steps, by ffmpeg"),
                                trMark("the numbers, for a spreadsheet"),
                                trMark("the numbers, for a program")};
  ExportPlan& plan = state.exporting.plan;
  const std::vector<ExportFormat> formats = formatsOf(plan.panel);
  std::vector<const char*> words, tips;
  int chosen = 0;
  for (const ExportFormat format : formats) {
    if (format == plan.format) { chosen = static_cast<int>(words.size()); }
    words.push_back(kWords.at(static_cast<std::size_t>(format)));
    tips.push_back(kTips.at(static_cast<std::size_t>(format)));
  }
  const int now = choiceRow(theme, "format", words, chosen, tips);
  if (now == chosen) { return; }
  plan.format = formats.at(static_cast<std::size_t>(now));
  follow(state);
}

void ExportWindow::drawSteps(AppState& state, const Theme& theme) {
  ExportPlan& plan = state.exporting.plan;
  tooMany_.clear();
  const std::size_t all = lastOfMovement(state, plan.panel);
  if (!plan.moves() || all == 0) { return; }
  if (movementOf(plan.panel) != Movement::Steps) { plan.speed.reset(); }
  const bool sweeps = movementOf(plan.panel) == Movement::Sweeps;
  const int end = static_cast<int>(all);
  const ExportSteps steps = plan.steps.value_or(wholeMovement(state, plan.panel));
  int first = static_cast<int>(steps.first);
  int last = static_cast<int>(std::min(steps.last, all));
  int every = static_cast<int>(steps.every);
  fieldName(theme, sweeps ? tr("sweeps") : tr("steps"));
  numberField(theme, "##first", first, 0, end);
  ImGui::SameLine();
  label(theme, theme.colours().textDim, tr("to"));
  ImGui::SameLine();
  numberField(theme, "##last", last, first, end);
  ImGui::SameLine();
  if (plan.speed) {
    every = 1;
    label(theme, theme.colours().textDim, trf("played at {:.3g}×", *plan.speed));
  } else {
    label(theme, theme.colours().textDim, tr("every"));
    ImGui::SameLine();
    numberField(theme, "##every", every, 1, std::max(1, end));
  }
  plan.steps =
      ExportSteps{static_cast<std::size_t>(first), static_cast<std::size_t>(last), static_cast<std::size_t>(every)};
  fieldName(theme, tr("a second"));
  auto rate = static_cast<float>(plan.rate);
  ImGui::SetNextItemWidth(theme.px(kNumberWidth));
  if (ImGui::InputFloat("##rate", &rate, 1, 5, "%.1f")) { plan.rate = std::clamp(rate, 0.1F, 50.0F); }
  ImGui::SameLine();
  if (movementOf(plan.panel) == Movement::Steps) {
    bool played = plan.speed.has_value();
    if (ImGui::Checkbox((std::string(tr("with movements")) + "###played").c_str(), &played)) {
      plan.speed = played ? std::optional(state.playback.speed) : std::nullopt;
      plan.rate = played ? kRateOfMovements : ExportPlan{}.rate;
    }
    ImGui::SameLine();
  }
  std::string note;
  try {
    const std::size_t count = exportMoments(state, plan).size();
    note = trn("{} picture", "{} pictures", count, count);
  } catch (const InputError& problem) { tooMany_ = problem.what(); }
  if (!tooMany_.empty()) {
    ImGui::NewLine();
    ImGui::PushTextWrapPos(theme.px(kNameWidth + kFieldWidth));
    label(theme, theme.colours().fault, tooMany_);
    ImGui::PopTextWrapPos();
    return;
  }
  if (sweeps && static_cast<std::size_t>(first) < state.field.sweeps) {
    note += " · " + std::string(tr("the field begins anew"));
  }
  label(theme, theme.colours().textDim, note);
}

void ExportWindow::drawChoices(AppState& state, const Theme& theme) {
  ExportPlan& plan = state.exporting.plan;
  fieldName(theme, tr("panel"));
  ImGui::SetNextItemWidth(theme.px(kFieldWidth));
  drawPanelChoice(state);
  fieldName(theme, tr("as"));
  drawFormatChoice(state, theme);
  fieldName(theme, tr("file"));
  ImGui::SetNextItemWidth(theme.px(kFieldWidth));
  bool changed = ImGui::InputText("##path", &path_);
  named_ |= changed;
  if (!plan.isTable()) {
    fieldName(theme, tr("size"));
    changed |= numberField(theme, "##width", plan.width, 320, kLargestSide);
    ImGui::SameLine();
    label(theme, theme.colours().textDim, "×");
    ImGui::SameLine();
    changed |= numberField(theme, "##height", plan.height, 240, kLargestSide);
    if (plan.format != ExportFormat::Svg) {
      ImGui::SameLine();
      label(theme, theme.colours().textDim, tr("pixels, times"));
      ImGui::SameLine();
      int scale = static_cast<int>(plan.scale);
      if (numberField(theme, "##scale", scale, 1, 4)) {
        plan.scale = static_cast<float>(scale);
        changed = true;
      }
    } else {
      plan.scale = 1;
    }
    if (!plan.moves()) {
      fieldName(theme, "");
      changed |= ImGui::Checkbox((std::string(tr("as high as all that the panel has to show")) + "###whole").c_str(),
                                 &plan.whole);
    }
  }
  if (changed) { look(state); }
  drawSteps(state, theme);
}

void ExportWindow::drawOutcome(const AppState& state, const Theme& theme) const {
  const Exporting& exporting = state.exporting;
  if (exporting.running) {
    const float share =
        static_cast<float>(exporting.done) / static_cast<float>(std::max<std::size_t>(1, exporting.all));
    ImGui::ProgressBar(share, {-1, 0}, trf("{} of {}", exporting.done, exporting.all).c_str());
    return;
  }
  ImGui::PushTextWrapPos(theme.px(kNameWidth + kFieldWidth));
  const std::string& problem = problem_.empty() ? exporting.problem : problem_;
  if (!problem.empty()) {
    label(theme, theme.colours().fault, problem);
  } else if (!exporting.written.empty()) {
    label(theme, theme.colours().good, trf("written: {}", exporting.written.string()));
    if (!exporting.note.empty()) { label(theme, theme.colours().textDim, exporting.note); }
  } else if (replaces_) {
    label(theme, theme.colours().halo, tr("replaces the file that is there"));
  } else {
    ImGui::TextUnformatted(" ");
  }
  ImGui::PopTextWrapPos();
}

void ExportWindow::drawButtons(AppState& state, const Theme& theme) {
  Exporting& exporting = state.exporting;
  ImGui::BeginDisabled(exporting.running || !problem_.empty() || !tooMany_.empty() || state.computing);
  const bool asked = ImGui::Button((std::string(tr("Export")) + "###start").c_str());
  ImGui::EndDisabled();
  ImGui::SameLine(0, theme.px(8));
  bool leave = ImGui::Button((std::string(exporting.running ? tr("Cancel") : tr("Close")) + "###leave").c_str());
  leave |= ImGui::IsKeyPressed(ImGuiKey_Escape, false);
  if (asked) {
    exporting.plan.output = output_;
    exporting.plan = applicable(exporting.plan);
    folder_ = exporting.plan.output.parent_path().string();
    exporting.wanted = true;
  }
  if (leave && exporting.running) {
    exporting.cancel = true;
  } else if (leave) {
    exporting.dialog = false;
    ImGui::CloseCurrentPopup();
  }
}

void ExportWindow::draw(AppState& state, const Theme& theme) {
  if (!state.exporting.dialog) {
    shown_ = false;
    return;
  }
  const std::string title = std::string(tr("Export a panel")) + "###Export";
  if (!shown_) {
    begin(state);
    ImGui::OpenPopup(title.c_str());
    shown_ = true;
  }
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos({viewport->Pos.x + viewport->Size.x / 2, viewport->Pos.y + viewport->Size.y / 2},
                          ImGuiCond_Always, {0.5F, 0.5F});
  const FontScope font(theme, Face::Sans, TextSize::Body);
  if (!ImGui::BeginPopupModal(title.c_str(), nullptr,
                              ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove |
                                  ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoDocking)) {
    state.exporting.dialog = shown_ = false;  // something else has closed it
    return;
  }
  ImGui::BeginDisabled(state.exporting.running);
  drawChoices(state, theme);
  ImGui::EndDisabled();
  drawOutcome(state, theme);
  drawButtons(state, theme);
  ImGui::EndPopup();
}

}  // namespace haloscope::ui
