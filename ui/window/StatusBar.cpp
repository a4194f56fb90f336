#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "actions/BugLabTasks.h"
#include "actions/Choices.h"
#include "actions/Findings.h"
#include "actions/ProgramSteps.h"
#include "actions/ViewActions.h"
#include "language/Text.h"
#include "state/ProgramFaults.h"
#include "state/Session.h"
#include "ui/widgets/Shortcuts.h"
#include "ui/widgets/Widgets.h"
#include "ui/window/StatusBar.h"

namespace haloscope::ui {

namespace {

constexpr float kStatementGap = 16;  // between one statement and the next, at scale 1

StatusEntry gpuEntry(const AppState& state, const Palette& colours) {
  if (!state.gpuTrouble.empty()) {
    return {trf("{}: a kernel failed", state.gpuName), colours.fault,
            state.gpuTrouble + tr(". Until Haloscope is restarted, kernels run in a child process.")};
  }
  if (!state.gpuName.empty()) { return {state.gpuName, colours.good, tr("The GPU that runs and times the kernels")}; }
  return {tr("no GPU"), colours.textDim, state.gpuMissing};
}

// "NVIDIA H200/PCIe/SSE2" and "llvmpipe (LLVM 15.0.6, 256 bits)" contain details that do not matter here.
std::string shortRenderer(const std::string& renderer) { return renderer.substr(0, renderer.find_first_of("/(")); }

std::string fieldText(const FieldStatus& field) {
  switch (field.path) {
    case FieldPath::None:
      return "";
    case FieldPath::Interop:
      return tr("field: device memory (interop)");
    case FieldPath::HostCopy:
      return tr("field: copied through the host");
    case FieldPath::Emulator:
      return tr("field: swept by the emulator");
  }
  return "";
}

std::string recordingText(const recording::Recording& recording) {
  return recording.source == recording::Recording::Source::Gpu ? tr("recorded on the GPU")
                                                               : tr("recorded on the emulator");
}

// What was found in the kernel on screen, and in the rest of its program.
std::optional<StatusEntry> findingsEntry(const AppState& state, const Palette& colours) {
  const std::vector<ProgramFault> others = programFaults(state);
  const auto grave = static_cast<std::size_t>(std::ranges::count_if(others, &ProgramFault::grave));
  const bool notChecked = state.report != nullptr && !state.report->notChecked.empty();
  if (notChecked && grave == 0) { return StatusEntry{tr("not checked"), colours.halo, state.report->notChecked}; }
  if ((state.report == nullptr && others.empty()) || findingsHidden(state)) { return std::nullopt; }
  const std::size_t own = findings(state).size();
  if (own + others.size() == 0) { return std::nullopt; }
  std::string tip = own > 0 ? trf("Go to the next one: {}", keyText(chooseNextFinding)) : "";
  if (!others.empty()) {
    if (!tip.empty()) { tip += "\n"; }
    tip += trf("Elsewhere in the program: {}; see the panel Findings", countedFindings(grave, others.size() - grave));
  }
  return StatusEntry{countedFindings(own + grave, others.size() - grave),
                     own + grave > 0 ? colours.fault : colours.good, std::move(tip)};
}

// What the machine does, and how fast.
std::vector<StatusEntry> machineEntries(const AppState& state, const Palette& colours) {
  std::vector<StatusEntry> entries;
  entries.push_back(gpuEntry(state, colours));
  if (!state.glRenderer.empty()) {
    const bool noted = !state.glNote.empty();
    entries.push_back({"OpenGL: " + shortRenderer(state.glRenderer), noted ? colours.halo : colours.textDim,
                       noted ? trf("{}, because {}", state.glRenderer, state.glNote) : state.glRenderer});
  }
  if (state.field.path != FieldPath::None) {
    const ImU32 colour = state.field.path == FieldPath::Interop ? colours.good : colours.textDim;
    entries.push_back({fieldText(state.field), colour, state.field.pathReason});
  }
  if (!state.cursor.empty()) {
    const bool copied =
        state.cursor.recording().source == recording::Recording::Source::Gpu && !state.gpuStepping.copyReason.empty();
    entries.push_back({recordingText(state.cursor.recording()) + (copied ? tr(", copied through the host") : ""),
                       colours.textDim, copied ? state.gpuStepping.copyReason : state.cursor.recording().message});
  }
  if (!state.computing && state.lastLatencyMs > 0 && state.view.ownTimes) {
    entries.push_back({trf("executed in {:.0f} ms", state.lastLatencyMs), colours.textDim,
                       tr("From choice to picture: parsing, executing, counting and recording")});
  }
  return entries;
}

// What is not as usual, or was found.
std::vector<StatusEntry> noteworthy(const AppState& state, const Palette& colours) {
  std::vector<StatusEntry> entries;
  if (!state.gpuTrouble.empty()) { entries.push_back(gpuEntry(state, colours)); }
  // Where drawers are, the rail has the number of findings.
  const bool notChecked = state.report != nullptr && !state.report->notChecked.empty();
  if (!hasDrawers(state.view.tabs.workspace()) || notChecked || !programFaults(state).empty()) {
    if (std::optional<StatusEntry> entry = findingsEntry(state, colours)) { entries.push_back(*std::move(entry)); }
  }
  if (showsLaunchData(state)) {
    entries.push_back(
        {state.program.data->launch, colours.activeText,
         tr("Shown with the data that its program gives this launch: the one selected in the panel Program, else "
            "the kernel's first")});
  }
  if (const auto launch = selectedLaunch(state); launch && state.program.data != nullptr && !state.computing &&
                                                 state.experiment != nullptr && !showsLaunchData(state)) {
    entries.push_back({trf("not launch {}", grouped(*launch + 1)), colours.halo,
                       tr("Other sizes are chosen than the selected launch has: arrays and their contents are not the "
                          "program's. Select it again to see it as it was.")});
  }
  if (const Session& session = state.session; session.shown() != nullptr) {
    entries.push_back(
        {trf("scene {} of {}", session.current + 1, session.scenes.size()) + (session.changed() ? " *" : ""),
         colours.accent, session.message.empty() ? nameOf(session) : session.message});
  }
  if (state.choice.order != simt::WarpOrder::SideBySide) {
    entries.push_back({trf("warps: {}", orderName(state.choice.order)), colours.halo,
                       tr("The order in which warps run: choose it under Menu, Execution")});
  }
  if (state.experiment != nullptr && !state.experiment->warnings.empty()) {
    std::string all;
    for (const std::string& warning : state.experiment->warnings) { all += (all.empty() ? "" : "\n") + warning; }
    const std::size_t count = state.experiment->warnings.size();
    constexpr std::size_t kShort = 64;  // characters that the bar has room for
    const std::string text = trn("{} warning", "{} warnings", count, count);
    entries.push_back({count == 1 && all.size() <= kShort ? trf("warning: {}", all) : text, colours.halo, all});
  }
  return entries;
}

float widthOf(const std::vector<StatusEntry>& entries, float gap) {
  float width = entries.empty() ? 0 : gap * static_cast<float>(entries.size() - 1);
  for (const StatusEntry& entry : entries) { width += textWidth(entry.text); }
  return width;
}

void drawEntries(const std::vector<StatusEntry>& entries, float gap) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i > 0) { ImGui::SameLine(0, gap); }
    ImGui::PushStyleColor(ImGuiCol_Text, entries[i].colour);
    ImGui::TextUnformatted(entries[i].text.c_str());
    ImGui::PopStyleColor();
    if (!entries[i].tip.empty()) { ImGui::SetItemTooltip("%s", entries[i].tip.c_str()); }
  }
}

struct BandButton {
  const char* text;
  std::string tip;
};

// A message in a band of its own, which stays until the user has answered it. Returns the button pressed, or -1.
int drawBand(const Theme& theme, ImU32 colour, const std::string& message, std::span<const BandButton> buttons) {
  const Palette& colours = theme.colours();
  const FontScope font(theme, Face::Sans, TextSize::Body);
  const float pad = theme.px(8);
  float buttonsWidth = 0;
  for (const BandButton& button : buttons) {
    buttonsWidth += textWidth(button.text) + 2 * ImGui::GetStyle().FramePadding.x + pad;
  }
  const float width = ImGui::GetContentRegionAvail().x;
  const float textRoom = std::max(theme.px(80), width - buttonsWidth - 3 * pad);
  const float textHeight = ImGui::CalcTextSize(message.c_str(), nullptr, false, textRoom).y;
  const float height = std::max(textHeight, ImGui::GetFrameHeight()) + 2 * pad;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, {at.x + width, at.y + height}, Theme::mixed(colours.panel, colour, 0.18F), theme.px(6));
  list->AddRect(at, {at.x + width, at.y + height}, colour, theme.px(6), std::max(1.0F, theme.px(1)));
  ImGui::SetCursorScreenPos({at.x + pad, at.y + (height - textHeight) / 2});
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + textRoom);
  ImGui::PushStyleColor(ImGuiCol_Text, Theme::mixed(colour, colours.text, 0.35F));
  ImGui::TextUnformatted(message.c_str());
  ImGui::PopStyleColor();
  ImGui::PopTextWrapPos();
  int pressed = -1;
  ImGui::SetCursorScreenPos({at.x + width - buttonsWidth, at.y + (height - ImGui::GetFrameHeight()) / 2});
  for (std::size_t i = 0; i < buttons.size(); ++i) {
    if (i > 0) { ImGui::SameLine(0, pad); }
    if (ImGui::Button(buttons[i].text)) { pressed = static_cast<int>(i); }
    if (!buttons[i].tip.empty()) { ImGui::SetItemTooltip("%s", buttons[i].tip.c_str()); }
  }
  ImGui::SetCursorScreenPos({at.x, at.y + height + theme.px(4)});
  ImGui::Dummy({0, 0});
  return pressed;
}

void drawProblem(AppState& state, const Theme& theme) {
  const std::array buttons = {BandButton{tr("Dismiss"), keyText(closeTopmost)}};
  if (drawBand(theme, theme.colours().fault, state.problem->message, buttons) == 0) { state.problem.reset(); }
}

void drawLanguageProblem(AppState& state, const Theme& theme) {
  const std::array buttons = {BandButton{tr("Dismiss"), {}}};
  if (drawBand(theme, theme.colours().halo, state.languageProblem, buttons) == 0) { state.languageProblem.clear(); }
}

// Another program has written the file while its text was changed here.
void drawConflict(AppState& state, const Theme& theme) {
  const auto copy = state.copies.find(state.choice.kernel);
  if (copy == state.copies.end() || !copy->second.outside) { return; }
  const std::array buttons = {
      BandButton{tr("Keep mine"), tr("keeps the source here; saving replaces the file")},
      BandButton{tr("Take the file's"), tr("shows the file; undo in the editor brings yours back")}};
  const std::string message =
      trf("{} was changed both by another program and here.", copy->second.path.filename().string());
  const int pressed = drawBand(theme, theme.colours().halo, message, buttons);
  if (pressed == 0) { state.fileRequests.keepMine = true; }
  if (pressed == 1) { state.fileRequests.takeOutside = true; }
}

// An earlier run of the program ended with text that was not in its file.
void drawFound(AppState& state, const Theme& theme) {
  if (state.editing.found.empty()) { return; }
  const std::array buttons = {
      BandButton{tr("Keep"), tr("continue with the unsaved source")},
      BandButton{tr("Back to the files"), tr("undo in the editor brings the unsaved source back")}};
  std::vector<std::string> names;
  for (const std::string& id : state.editing.found) { names.push_back(shownName(state.catalogue, id)); }
  const std::string message = trf("Unsaved changes to {} were restored.", fmt::join(names, ", "));
  const int pressed = drawBand(theme, theme.colours().accent, message, buttons);
  if (pressed == 0) { state.fileRequests.keepFound = true; }
  if (pressed == 1) { state.fileRequests.discardFound = true; }
}

void drawNotices(AppState& state, const Theme& theme) {
  if (state.editing.notices.empty()) { return; }
  const std::array buttons = {BandButton{tr("Dismiss"), {}}};
  const std::string message = fmt::format("{}", fmt::join(state.editing.notices, "\n"));
  ImGui::PushID("notices");
  if (drawBand(theme, theme.colours().halo, message, buttons) == 0) { state.editing.notices.clear(); }
  ImGui::PopID();
}

// While the user types, the editor's foot says what is wrong so far; a band here would make the panels jump.
bool showsProblem(const AppState& state) {
  return state.problem && !(state.editing.open && state.problem->where.valid());
}

}  // namespace

StatusBar::StatusBar(AppState& state, const Theme& theme)
    : state_(state), theme_(theme), entries_(noteworthy(state, theme.colours())) {}

bool StatusBar::empty() const {
  const auto copy = state_.copies.find(state_.choice.kernel);
  return !showsProblem(state_) && state_.languageProblem.empty() &&
         (copy == state_.copies.end() || !copy->second.outside) && state_.editing.found.empty() &&
         state_.editing.notices.empty() && entries_.empty();
}

void StatusBar::draw() const {
  if (showsProblem(state_)) { drawProblem(state_, theme_); }
  if (!state_.languageProblem.empty()) { drawLanguageProblem(state_, theme_); }
  drawConflict(state_, theme_);
  drawFound(state_, theme_);
  drawNotices(state_, theme_);
  const FontScope font(theme_, Face::Sans, TextSize::Small);
  const float gap = theme_.px(kStatementGap);
  const float width = ImGui::GetContentRegionAvail().x;
  std::vector<StatusEntry> entries = entries_;
  // Where it is narrow, whole ones are dropped from the end.
  while (entries.size() > 1 && widthOf(entries, gap) > width) { entries.pop_back(); }
  drawEntries(entries, gap);
}

void drawMachineTooltip(const AppState& state, const Theme& theme) {
  const Tooltip tip(theme);
  for (const StatusEntry& entry : machineEntries(state, theme.colours())) {
    tip.title(entry.text, entry.colour, Face::Sans);
    if (!entry.tip.empty() && entry.tip != entry.text) { tip.note(entry.tip); }
  }
}

}  // namespace haloscope::ui
