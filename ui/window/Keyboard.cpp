#include "ui/window/Keyboard.h"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "state/Choices.h"
#include "state/Comparing.h"
#include "state/FigureList.h"
#include "state/Findings.h"
#include "state/Origins.h"
#include "ui/scene/BarrierBanner.h"
#include "ui/window/ViewSettings.h"

namespace haloscope::ui {

namespace {

constexpr const char* kWalk = "Walk through the block";
constexpr const char* kText = "Text";
constexpr const char* kChoose = "Choose";
constexpr const char* kField = "Field, map and figures";
constexpr const char* kBeside = "Variants side by side";
constexpr const char* kWindow = "Window";

constexpr ImGuiKeyChord kCtrl = ImGuiMod_Ctrl, kAlt = ImGuiMod_Alt, kShift = ImGuiMod_Shift;

// clang-format off: a table is read by its columns.
constexpr std::array kShortcuts = {
    Shortcut{Action::PlayPause, kWalk, "play or pause", ImGuiKey_Space},
    Shortcut{Action::StepForward, kWalk, "one step on", ImGuiKey_RightArrow, 0, 0, 0, true},
    Shortcut{Action::StepBack, kWalk, "one step back", ImGuiKey_LeftArrow, 0, 0, 0, true},
    Shortcut{Action::NextInterval, kWalk, "next barrier interval", kShift | ImGuiKey_RightArrow, 0, 0, 0, true},
    Shortcut{Action::PreviousInterval, kWalk, "previous barrier interval", kShift | ImGuiKey_LeftArrow, 0, 0, 0, true},
    Shortcut{Action::NextPlane, kWalk, "next plane", ImGuiKey_PageDown, 0, 0, 0, true},
    Shortcut{Action::PreviousPlane, kWalk, "previous plane", ImGuiKey_PageUp, 0, 0, 0, true},
    Shortcut{Action::ToStart, kWalk, "before the first step", ImGuiKey_Home},
    Shortcut{Action::ToEnd, kWalk, "after the last step", ImGuiKey_End},
    Shortcut{Action::Faster, kWalk, "play faster", 0, 0, '+', '=', true},
    Shortcut{Action::Slower, kWalk, "play slower", 0, 0, '-', 0, true},
    Shortcut{Action::AddressesTab, kWalk, "addresses or memory in front", ImGuiKey_A},
    Shortcut{Action::OriginsTab, kWalk, "where the thread's output came from", ImGuiKey_W},
    Shortcut{Action::PreviousOperand, kWalk, "operand above, of where it came from", ImGuiKey_UpArrow, 0, 0, 0, true},
    Shortcut{Action::NextOperand, kWalk, "operand below", ImGuiKey_DownArrow, 0, 0, 0, true},

    Shortcut{Action::GpuStepping, kWalk, "what the GPU itself did, or the emulator", ImGuiKey_N},

    Shortcut{Action::FieldTab, kField, "field or block in front", ImGuiKey_F},
    Shortcut{Action::TuningTab, kField, "map of tile and block sizes in front", ImGuiKey_M},
    Shortcut{Action::SingleSweep, kField, "one sweep", ImGuiKey_S},
    Shortcut{Action::RunSweeps, kField, "run or pause sweeps", ImGuiKey_R},
    Shortcut{Action::Measure, kField, "read the GPU's hardware counters", ImGuiKey_H},

    Shortcut{Action::FiguresTab, kField, "the book's figures in front", ImGuiKey_P},
    Shortcut{Action::NextFigure, kField, "next figure", 0, 0, '.'},
    Shortcut{Action::PreviousFigure, kField, "previous figure", 0, 0, ','},

    Shortcut{Action::Compare, kBeside, "side by side, or one again", ImGuiKey_C},
    Shortcut{Action::NextCompared, kBeside, "the next one in focus", ImGuiKey_V},
    Shortcut{Action::LineUp, kBeside, "line up by interval, or by cell", ImGuiKey_I},

    Shortcut{Action::Edit, kText, "edit the text", ImGuiKey_E},
    Shortcut{Action::Save, kText, "save the text", kCtrl | ImGuiKey_S, 0, 0, 0, false, true},

    Shortcut{Action::OpenFile, kText, "open a .cu file", kCtrl | ImGuiKey_O, 0, 0, 0, false, true},
    Shortcut{Action::BugLab, kText, "the bug lab", ImGuiKey_U},
    Shortcut{Action::LaunchTable, kText, "how the opened file is launched", ImGuiKey_G},
    Shortcut{Action::NextFinding, kText, "next finding", ImGuiKey_F8, 0, 0, 0, false, true},
    Shortcut{Action::PreviousFinding, kText, "previous finding", kShift | ImGuiKey_F8, 0, 0, 0, false, true},
    Shortcut{Action::ToggleBarrier, kText, "take out or put back the barrier", ImGuiKey_X},
    Shortcut{Action::RevealingOrder, kText, "an order of warps that shows the race", ImGuiKey_O},

    Shortcut{Action::Variants, kChoose, "list and search the variants", kCtrl | ImGuiKey_K, 0, '/'},
    Shortcut{Action::NextVariant, kChoose, "next variant", kAlt | ImGuiKey_RightArrow, 0, ']'},
    Shortcut{Action::PreviousVariant, kChoose, "previous variant", kAlt | ImGuiKey_LeftArrow, 0, '['},
    Shortcut{Action::TileUp, kChoose, "larger tile (first tunable)", kCtrl | ImGuiKey_UpArrow, 0, 0, 0, true},
    Shortcut{Action::TileDown, kChoose, "smaller tile", kCtrl | ImGuiKey_DownArrow, 0, 0, 0, true},
    Shortcut{Action::SizeUp, kChoose, "larger grid", kCtrl | kShift | ImGuiKey_UpArrow, 0, 0, 0, true},
    Shortcut{Action::SizeDown, kChoose, "smaller grid", kCtrl | kShift | ImGuiKey_DownArrow, 0, 0, 0, true},
    Shortcut{Action::NextPrecision, kChoose, "the type: float, double, half", ImGuiKey_D},
    Shortcut{Action::NextBlockPlace, kChoose, "block: interior, face, edge, corner", ImGuiKey_B},

    Shortcut{Action::SwitchTheme, kWindow, "dark or light", ImGuiKey_T},
    Shortcut{Action::LargerText, kWindow, "larger text", kCtrl | ImGuiKey_Equal,
             kCtrl | ImGuiKey_KeypadAdd, 0, 0, true},
    Shortcut{Action::SmallerText, kWindow, "smaller text", kCtrl | ImGuiKey_Minus,
             kCtrl | ImGuiKey_KeypadSubtract, 0, 0, true},
    Shortcut{Action::OrdinaryText, kWindow, "ordinary text", kCtrl | ImGuiKey_0, kCtrl | ImGuiKey_Keypad0},
    Shortcut{Action::ResetLayout, kWindow, "panels back to their places", ImGuiKey_L},
    Shortcut{Action::Help, kWindow, "this help", ImGuiKey_F1, 0, '?'},
    Shortcut{Action::Close, kWindow, "close help, editor, messages and comparison", ImGuiKey_Escape, 0, 0, 0, false, true},
    Shortcut{Action::Quit, kWindow, "quit", kCtrl | ImGuiKey_Q, 0, 0, 0, false, true},
};
// clang-format on

constexpr double kSlowest = 0.5, kFastest = 512;

std::string_view keyName(ImGuiKey key) {
  switch (key) {
    case ImGuiKey_LeftArrow:
      return "←";
    case ImGuiKey_RightArrow:
      return "→";
    case ImGuiKey_UpArrow:
      return "↑";
    case ImGuiKey_DownArrow:
      return "↓";
    case ImGuiKey_PageUp:
      return "Page up";
    case ImGuiKey_PageDown:
      return "Page down";
    case ImGuiKey_Equal:
      return "+";
    case ImGuiKey_Minus:
      return "−";
    case ImGuiKey_Escape:
      return "Esc";
    default:
      return ImGui::GetKeyName(key);
  }
}

std::string chordText(ImGuiKeyChord chord) {
  std::string text;
  if ((chord & ImGuiMod_Ctrl) != 0) { text += "Ctrl + "; }
  if ((chord & ImGuiMod_Alt) != 0) { text += "Alt + "; }
  if ((chord & ImGuiMod_Shift) != 0) { text += "Shift + "; }
  return text.append(keyName(static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_)));
}

bool typed(char sign) {
  const ImGuiIO& io = ImGui::GetIO();
  if (sign == 0 || io.WantTextInput || io.KeyCtrl || io.KeyAlt) { return false; }
  return std::ranges::any_of(io.InputQueueCharacters, [&](ImWchar c) { return c == static_cast<ImWchar>(sign); });
}

// Arrows and space belong to whatever is being used by keys: an open list, a slider entered with Enter.
bool keysBelongToWidget() {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  const bool changingByKeys = g.ActiveId != 0 && g.ActiveIdSource == ImGuiInputSource_Keyboard;
  return changingByKeys || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

// All variants side by side; the one in focus leads.
void walkInLockstep(AppState& state, Action action) {
  Comparison& comparison = state.comparison;
  recording::Lockstep& time = comparison.time;
  switch (action) {
    case Action::StepForward:
      time.stepTrack(comparison.focus, 1);
      break;
    case Action::StepBack:
      time.stepTrack(comparison.focus, -1);
      break;
    case Action::NextInterval:
      time.nextSection();
      break;
    case Action::PreviousInterval:
      time.previousSection();
      break;
    case Action::ToStart:
      time.goTo(0);
      break;
    case Action::ToEnd:
      time.goTo(time.end());
      break;
    default:
      break;
  }
  followTime(state);
}

void walk(AppState& state, Action action) {
  recording::Cursor& cursor = state.cursor;
  if (cursor.empty()) { return; }
  state.playback.playing = false;
  state.playback.carry = 0;
  const bool byPlane = action == Action::NextPlane || action == Action::PreviousPlane;
  if (state.comparison.follows(state.experiment) && !byPlane) {
    walkInLockstep(state, action);
    return;
  }
  switch (action) {
    case Action::StepForward:
      cursor.step(1);
      break;
    case Action::StepBack:
      cursor.step(-1);
      break;
    case Action::NextInterval:
      cursor.nextInterval();
      break;
    case Action::PreviousInterval:
      cursor.previousInterval();
      break;
    case Action::NextPlane:
      cursor.nextPlane();
      break;
    case Action::PreviousPlane:
      cursor.previousPlane();
      break;
    case Action::ToStart:
      cursor.goTo(0);
      break;
    case Action::ToEnd:
      cursor.goTo(cursor.end());
      break;
    default:
      break;
  }
}

void playOrPause(AppState& state) {
  state.playback.playing = !state.playback.playing;
  state.playback.carry = 0;
  if (!state.playback.playing || state.cursor.empty()) { return; }
  recording::Lockstep& time = state.comparison.time;
  if (state.comparison.follows(state.experiment)) {
    if (time.position() == time.end()) { goToTick(state, 0); }
    state.playback.playing = true;
  } else if (state.cursor.position() == state.cursor.end()) {
    state.cursor.goTo(0);
  }
}

void changeFirstTunable(AppState& state, int by) {
  const KernelFile* file = chosenFile(state);
  if (file != nullptr && !file->tunables.empty()) {
    const std::string& tunable = file->tunables.front().name;
    state.choice = withValue(*file, state.choice, tunable, chosenValue(*file, state.choice, tunable) + by);
  }
}

// A size grows by an eighth: from 32 points to 1024 in some thirty presses, and never by less than one.
void changeSizes(AppState& state, int direction) {
  const KernelFile* file = chosenFile(state);
  if (file == nullptr) { return; }
  for (const SizeParameter& size : file->sizes) {
    const std::int64_t value = chosenValue(*file, state.choice, size.name);
    const std::int64_t by = std::max<std::int64_t>(1, value / 8);
    state.choice = withValue(*file, state.choice, size.name, value + direction * by);
  }
}

void changePrecision(AppState& state) {
  const KernelFile* file = chosenFile(state);
  if (file == nullptr || !file->precision) { return; }
  const std::string& macro = file->precision->macro;
  const std::int64_t next = file->precision->neighbour(chosenValue(*file, state.choice, macro), 1);
  state.choice = withValue(*file, state.choice, macro, next);
}

void changeVariant(AppState& state, int by) {
  if (const KernelFile* file = neighbourKernel(state.catalogue, state.choice.kernel, by)) {
    state.choice = withKernel(state, *file);
  }
}

void changeBlockPlace(AppState& state) {
  const KernelFile* file = chosenFile(state);
  const std::optional<Dim3> grid = file != nullptr ? chosenGrid(*file, state.choice) : std::nullopt;
  if (!grid) { return; }
  const bool shown = state.experiment != nullptr && state.experiment->configuration.grid == *grid;
  const Dim3 before = state.choice.block ? *state.choice.block : shown ? state.experiment->block : Dim3{0, 0, 0};
  state.choice.block = nextExampleBlock(*grid, before);
}

void switchMemoryTab(AppState& state, MemoryTab tab) {
  state.view.memoryTab = state.view.memoryTab == tab ? MemoryTab::Memory : tab;
}

void changeTextSize(AppState& state, float by) {
  const float tenths = std::round(state.view.scale * 10) + by;
  state.view.scale = std::clamp(tenths / 10, kSmallestTextScale, kLargestTextScale);
}

// The caret is set where the reader was: at what is wrong, at the current statement, or at the kernel.
void openOrLeaveEditor(AppState& state) {
  state.editing.open = !state.editing.open;
  if (!state.editing.open) { return; }
  const recording::Step* step = state.cursor.empty() ? nullptr : state.cursor.current();
  if (state.problem && state.problem->where.valid()) {
    state.editing.line = state.problem->where.line;
  } else if (step != nullptr && step->statement != kNone) {
    state.editing.line = state.cursor.recording().program->statements[step->statement].range.line;
  } else {
    state.editing.line = 0;
  }
}

}  // namespace

std::span<const Shortcut> shortcuts() { return kShortcuts; }

std::string keyText(const Shortcut& shortcut) {
  std::string text;
  const auto add = [&](const std::string& keys) { text += text.empty() ? keys : " or " + keys; };
  if (shortcut.sign != 0) { add(shortcut.sign == '-' ? "−" : std::string(1, shortcut.sign)); }
  if (shortcut.keys != 0) { add(chordText(shortcut.keys)); }
  return text;
}

std::string keyText(Action action) {
  const auto* const shortcut = std::ranges::find(kShortcuts, action, &Shortcut::action);
  return shortcut != kShortcuts.end() ? keyText(*shortcut) : std::string();
}

void perform(AppState& state, Action action) {
  switch (action) {
    case Action::PlayPause:
      playOrPause(state);
      break;
    case Action::StepForward:
    case Action::StepBack:
    case Action::NextInterval:
    case Action::PreviousInterval:
    case Action::NextPlane:
    case Action::PreviousPlane:
    case Action::ToStart:
    case Action::ToEnd:
      walk(state, action);
      break;
    case Action::Faster:
      state.playback.stepsPerSecond = std::min(state.playback.stepsPerSecond * 2, kFastest);
      break;
    case Action::Slower:
      state.playback.stepsPerSecond = std::max(state.playback.stepsPerSecond / 2, kSlowest);
      break;
    case Action::Variants:
      state.view.openVariants = true;
      break;
    case Action::NextVariant:
      changeVariant(state, 1);
      break;
    case Action::PreviousVariant:
      changeVariant(state, -1);
      break;
    case Action::TileUp:
      changeFirstTunable(state, 1);
      break;
    case Action::TileDown:
      changeFirstTunable(state, -1);
      break;
    case Action::SizeUp:
      changeSizes(state, 1);
      break;
    case Action::SizeDown:
      changeSizes(state, -1);
      break;
    case Action::NextPrecision:
      changePrecision(state);
      break;
    case Action::NextBlockPlace:
      changeBlockPlace(state);
      break;
    case Action::Compare:
      state.comparison.on ? leaveComparison(state) : startComparison(state);
      break;
    case Action::NextCompared:
      if (state.comparison.on) { focusVariant(state, (state.comparison.focus + 1) % state.comparison.variants.size()); }
      break;
    case Action::LineUp:
      lineUpBy(state, state.comparison.lineUp == LineUp::Cell ? LineUp::Interval : LineUp::Cell);
      break;
    case Action::Edit:
      openOrLeaveEditor(state);
      break;
    case Action::Save:
      state.fileRequests.save = true;
      break;
    case Action::OpenFile:
      state.view.fileDialog = View::FileDialog::Open;
      break;
    case Action::BugLab:
      state.view.showBugLab = !state.view.showBugLab;
      break;
    case Action::LaunchTable:
      state.view.showLaunch = !state.view.showLaunch;
      break;
    case Action::NextFinding:
      chooseNeighbourFinding(state, 1);
      break;
    case Action::PreviousFinding:
      chooseNeighbourFinding(state, -1);
      break;
    case Action::ToggleBarrier:
      if (const std::optional<int> line = barrierAtCursor(state)) { toggleBarrier(state, *line); }
      break;
    case Action::RevealingOrder:
      chooseRevealingOrder(state);
      break;
    case Action::AddressesTab:
      switchMemoryTab(state, MemoryTab::Addresses);
      break;
    case Action::OriginsTab:
      switchMemoryTab(state, MemoryTab::Origins);
      break;
    case Action::PreviousOperand:
      chooseNeighbourOperand(state, -1);
      break;
    case Action::NextOperand:
      chooseNeighbourOperand(state, 1);
      break;
    case Action::GpuStepping:
      state.gpuStepping.wanted = !state.gpuStepping.wanted;
      break;
    case Action::TuningTab:
      state.view.tuningInFront = !state.tuning.shown;
      break;
    case Action::FieldTab:
      state.view.showField = !state.view.showField;
      break;
    case Action::FiguresTab:
      state.view.figuresInFront = !state.figures.shown;
      break;
    case Action::NextFigure:
    case Action::PreviousFigure:
      state.figures.inFront = neighbourFigure(state.figures.inFront, action == Action::NextFigure ? 1 : -1).id;
      state.view.figuresInFront = true;
      break;
    case Action::SingleSweep:
      state.fieldControls.singleSweep = true;
      break;
    case Action::RunSweeps:
      state.fieldControls.run = !state.fieldControls.run;
      break;
    case Action::Measure:
      state.hardware.wanted = true;
      break;
    case Action::SwitchTheme:
      state.view.light = !state.view.light;
      break;
    case Action::LargerText:
      changeTextSize(state, 1);
      break;
    case Action::SmallerText:
      changeTextSize(state, -1);
      break;
    case Action::OrdinaryText:
      state.view.scale = 1;
      break;
    case Action::ResetLayout:
      state.view.resetLayout = true;
      break;
    case Action::Help:
      state.view.showHelp = !state.view.showHelp;
      break;
    case Action::Close:
      if (state.view.fileDialog != View::FileDialog::None || state.view.showLaunch) {
        state.view.fileDialog = View::FileDialog::None;
        state.view.showLaunch = false;
        break;
      }
      if (state.editing.open && !state.view.showHelp && !state.view.showAbout) {
        state.editing.open = false;
        break;
      }
      if (state.comparison.on && !state.view.showHelp && !state.view.showAbout && !state.problem) {
        leaveComparison(state);
        break;
      }
      state.view.showHelp = state.view.showAbout = false;
      state.problem.reset();
      break;
    case Action::Quit:
      state.view.quit = true;
      break;
  }
}

void handleKeyboard(AppState& state) {
  if (keysBelongToWidget()) { return; }
  // A global route, announced in every frame, also takes the keys from ImGui's own navigation, which would else move
  // its focus with the arrows. Whoever has an owner's claim, such as a text field, still comes first.
  const ImGuiID owner = ImHashStr("haloscope keyboard");
  for (const Shortcut& shortcut : kShortcuts) {
    if (state.editing.focused && !shortcut.whileTyping) { continue; }
    // Elsewhere these two move ImGui's focus.
    const bool ofOrigins = shortcut.action == Action::PreviousOperand || shortcut.action == Action::NextOperand;
    if (ofOrigins && state.view.memoryTab != MemoryTab::Origins) { continue; }
    const ImGuiInputFlags flags =
        ImGuiInputFlags_RouteGlobal | (shortcut.repeats ? ImGuiInputFlags_Repeat : ImGuiInputFlags_None);
    bool asked = typed(shortcut.sign) || typed(shortcut.otherSign);
    for (const ImGuiKeyChord keys : {shortcut.keys, shortcut.otherKeys}) {
      asked |= keys != 0 && ImGui::Shortcut(keys, flags, owner);
    }
    if (asked) { perform(state, shortcut.action); }
  }
}

}  // namespace haloscope::ui
