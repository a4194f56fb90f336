#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "actions/Choices.h"
#include "actions/PresentingActions.h"
#include "actions/ViewActions.h"
#include "language/Text.h"
#include "state/AppState.h"
#include "ui/widgets/Shortcuts.h"
#include "ui/widgets/Slider.h"
#include "ui/widgets/Theme.h"
#include "ui/widgets/Widgets.h"
#include "ui/window/BlockPicker.h"
#include "ui/window/MainMenu.h"
#include "ui/window/StatusBar.h"
#include "ui/window/Toolbar.h"
#include "ui/window/VariantPicker.h"

namespace haloscope::ui {

namespace {

/// A size or a tunable of a variant: its name, its value in a box to type into, a slider, its range. Where there is
/// little room the range is only in the tooltip, and then the slider goes.
struct Knob {
  std::string name;
  std::string meaning;
  std::int64_t minimum = 0, maximum = 1;
  std::int64_t sliderMinimum = 0, sliderMaximum = 1;  ///< the slider has less than what may be typed

  struct Room {
    float slider = 84;  ///< at scale 1; 0: none
    bool range = true;
  };
  [[nodiscard]] float width(const Theme& theme, const Room& room) const;
  /// Writes AppState::choice.
  void draw(AppState& state, const Theme& theme, const KernelFile& file, const Room& room) const;

 private:
  [[nodiscard]] std::string rangeText() const;
  [[nodiscard]] float boxWidth(const Theme& theme) const;
  bool valueBox(const Theme& theme, std::int64_t& value) const;
  void tooltip(const Theme& theme, const std::string& use) const;
};

constexpr float kKnobGap = 8;  // between the name, the box, the slider and the range, at scale 1

/// Of the variant: its tunables, then its sizes.
std::vector<Knob> knobsOf(const KernelFile& file, const experiment::Choice& choice) {
  std::vector<Knob> knobs;
  for (const Tunable& tunable : file.tunables) {
    const ValueRange range = launchableRange(file, choice, tunable);
    knobs.push_back({tunable.name, tunable.meaning, tunable.minimum, tunable.maximum, range.least, range.most});
  }
  for (const SizeParameter& size : file.sizes) {
    knobs.push_back(
        {size.name, size.meaning, size.minimum, size.maximum, size.minimum, comfortableMaximum(file, size)});
  }
  return knobs;
}

std::string Knob::rangeText() const { return fmt::format("{} … {}", sliderMinimum, sliderMaximum); }

float Knob::boxWidth(const Theme& theme) const {
  const FontScope font(theme, Face::Mono, TextSize::Body);
  return textWidth(std::to_string(maximum)) + 2 * ImGui::GetStyle().FramePadding.x;
}

float Knob::width(const Theme& theme, const Room& room) const {
  float width = frameLabelWidth(theme, name, Face::Mono) + theme.px(kKnobGap) + boxWidth(theme);
  if (room.slider > 0) { width += theme.px(kKnobGap + room.slider); }
  if (room.range) { width += theme.px(kKnobGap) + frameLabelWidth(theme, rangeText(), Face::Sans); }
  return width;
}

void Knob::tooltip(const Theme& theme, const std::string& use) const {
  if (!ImGui::BeginItemTooltip()) { return; }
  label(theme, theme.colours().text, tr(meaning), Face::Sans, TextSize::Body);
  label(theme, theme.colours().textDim, use);
  ImGui::EndTooltip();
}

bool Knob::valueBox(const Theme& theme, std::int64_t& value) const {
  const FontScope font(theme, Face::Mono, TextSize::Body);
  ImGui::SetNextItemWidth(boxWidth(theme));
  // Taken over with Enter: half a number is not a size to launch a kernel with.
  return ImGui::InputScalar(("##" + name + " value").c_str(), ImGuiDataType_S64, &value, nullptr, nullptr, "%lld",
                            ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
}

void Knob::draw(AppState& state, const Theme& theme, const KernelFile& file, const Room& room) const {
  ImGui::BeginGroup();
  frameLabel(theme, name, Face::Mono);
  ImGui::SameLine(0, theme.px(kKnobGap));
  std::int64_t value = chosenValue(file, state.choice, name);
  const bool typed = valueBox(theme, value);
  if (typed) { sayIfOutside(state, name, value, minimum, maximum); }
  bool changed = typed;
  tooltip(theme, trf("type a number from {} to {}, then Enter", minimum, maximum));
  if (room.slider > 0) {
    ImGui::SameLine(0, theme.px(kKnobGap));
    const std::string id = "##" + name;
    changed |= Slider{id.c_str(), sliderMinimum, sliderMaximum, theme.px(room.slider)}.draw(theme, value);
    tooltip(theme, trf("drag: {}", rangeText()));
  }
  if (changed) { state.choice = withValue(file, state.choice, name, value); }
  if (room.range) {
    ImGui::SameLine(0, theme.px(kKnobGap));
    frameLabel(theme, rangeText(), Face::Sans);
  }
  ImGui::EndGroup();
}

/// The macro of a text that is run in one of several types, and the list of these. Writes AppState::choice.
class PrecisionPicker {
 public:
  PrecisionPicker(const Theme& theme, const KernelFile& file) : theme_(theme), file_(file) {}

  /// 0 where the text has its types.
  [[nodiscard]] float width() const;
  void draw(AppState& state) const;

 private:
  [[nodiscard]] float boxWidth() const;

  const Theme& theme_;
  const KernelFile& file_;
};

constexpr float kPickerGap = 8;  // between the name and the box, at scale 1

float PrecisionPicker::boxWidth() const {
  const FontScope font(theme_, Face::Mono, TextSize::Body);
  float text = 0;
  for (const ValueType type : file_.precision->types) { text = std::max(text, textWidth(realTypeName(type))); }
  return text + 4 * ImGui::GetStyle().FramePadding.x;
}

float PrecisionPicker::width() const {
  if (!file_.precision) { return 0; }
  return frameLabelWidth(theme_, file_.precision->macro, Face::Mono) + theme_.px(kPickerGap) + boxWidth();
}

void PrecisionPicker::draw(AppState& state) const {
  const Precision& precision = *file_.precision;
  const std::int64_t chosen = chosenValue(file_, state.choice, precision.macro);
  ImGui::BeginGroup();
  frameLabel(theme_, precision.macro, Face::Mono);
  ImGui::SameLine(0, theme_.px(kPickerGap));
  const FontScope font(theme_, Face::Mono, TextSize::Body);
  ImGui::SetNextItemWidth(boxWidth());
  if (ImGui::BeginCombo("##precision", realTypeName(chosen).c_str(), ImGuiComboFlags_NoArrowButton)) {
    for (const ValueType type : precision.types) {
      const std::int64_t value = Precision::valueOf(type);
      if (ImGui::Selectable(realTypeName(type).c_str(), value == chosen)) {
        state.choice = withValue(file_, state.choice, precision.macro, value);
      }
      if (value == chosen) { ImGui::SetItemDefaultFocus(); }
    }
    ImGui::EndCombo();
  } else if (ImGui::BeginItemTooltip()) {
    label(theme_, theme_.colours().text, tr("Floating-point type of the kernel"), Face::Sans, TextSize::Body);
    label(theme_, theme_.colours().textDim,
          trf("{} is {}; the next one: {}", precision.macro, precision.typeNames(), keyText(chooseNextPrecision)));
    ImGui::EndTooltip();
  }
  ImGui::EndGroup();
}

constexpr float kGroupGap = 20;  // between one choice and the next, at scale 1
constexpr float kLabelGap = 8;   // between a name and its widget
constexpr float kRowGap = 8;
constexpr float kTabGap = 2;  // between the tabs of workspaces
constexpr const char* kMenu = "folded choices";

// What the bar shows apart from the widgets themselves: as much as one row has room for.
struct Density {
  Knob::Room knob{};
  VariantPicker::Room variant{};
  float gap = kGroupGap;
  Knob::Room size{};  ///< of the knobs for sizes of the grid
};
constexpr std::array kDensities = {
    Density{},
    Density{{84, false}, {}, kGroupGap, {84, false}},
    Density{{84, false}, {120}, kGroupGap, {84, false}},
    Density{{84, false}, {120}, 12, {0, false}},
    Density{{84, false}, {120, false}, 12, {0, false}},
    Density{{52, false}, {120, false}, 12, {0, false}},
    Density{{0, false}, {90, false, 130}, 8, {0, false}},
};

// Lays groups of widgets from left to right and begins a new row where one does not fit.
class Flow {
 public:
  /// From the cursor to `right`; rows after the first reach to `lowerRight`.
  Flow(const Theme& theme, float right, float lowerRight)
      : theme_(theme), right_(right), lowerRight_(lowerRight), left_(ImGui::GetCursorScreenPos().x) {}

  /// `gap`: from the group before, at scale 1.
  void place(float width, float gap) {
    if (!first_) {
      const float next = ImGui::GetItemRectMax().x + theme_.px(gap);
      if (next + width <= right_) {
        ImGui::SameLine(0, 0);
        ImGui::SetCursorScreenPos({next, ImGui::GetCursorScreenPos().y});
      } else {
        ImGui::SetCursorScreenPos({left_, ImGui::GetCursorScreenPos().y + theme_.px(kRowGap)});
        right_ = lowerRight_;
      }
    }
    first_ = false;
  }

 private:
  const Theme& theme_;
  float right_, lowerRight_, left_;
  bool first_ = true;
};

// What was assumed, or is missing, of the file on screen; empty for a variant of the catalogue.
std::string launchText(const AppState& state) {
  const auto launch = state.launches.find(state.choice.kernel);
  if (launch == state.launches.end()) { return {}; }
  const std::size_t assumed = launch->second.assumptions.size() + launch->second.missing.size();
  if (launch->second.executed && launch->second.missing.empty()) { return tr("Launch: executed"); }
  return assumed == 0 ? tr("Launch") : trf("Launch: {} assumed", assumed);
}

// Opens the launch table.
void launchButton(AppState& state) {
  const std::string text = launchText(state);
  if (text.empty()) { return; }
  ImGui::SameLine();
  if (ImGui::Button((text + "###launch").c_str())) { toggleLaunchTable(state); }
  ImGui::SetItemTooltip("%s", trf("grid, block, parameters and assumptions ({})", keyText(toggleLaunchTable)).c_str());
}

// A turning arc while an experiment is being made; an empty place else, so that nothing moves.
void drawBusy(const Theme& theme, bool busy) {
  const float edge = ImGui::GetFrameHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({edge, edge});
  if (!busy) { return; }
  ImGui::SetItemTooltip("%s", tr("executing the kernel …"));
  constexpr float kTurnsPerSecond = 1.2F;
  constexpr float kFullTurn = 2 * std::numbers::pi_v<float>;
  const auto start = static_cast<float>(std::fmod(ImGui::GetTime() * kTurnsPerSecond, 1.0)) * kFullTurn;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->PathArcTo({at.x + edge / 2, at.y + edge / 2}, edge * 0.28F, start, start + kFullTurn * 0.7F);
  list->PathStroke(theme.colours().activeText, std::max(1.5F, theme.px(2)));
}

float buttonWidth(const char* text) { return textWidth(text) + 2 * ImGui::GetStyle().FramePadding.x; }

std::string gpuText(const AppState& state) { return state.gpuName.empty() ? tr("no GPU") : state.gpuName; }

float rightWidth(const AppState& state, const Theme& theme) {
  return ImGui::GetFrameHeight() + frameLabelWidth(theme, gpuText(state), Face::Sans) + buttonWidth(tr("Present")) +
         buttonWidth(tr("Menu")) + buttonWidth("?") + theme.px(4 * kLabelGap);
}

void drawRight(AppState& state, const Theme& theme) {
  drawBusy(theme, state.computing);
  ImGui::SameLine(0, theme.px(kLabelGap));
  {
    const FontScope font(theme, Face::Sans, TextSize::Small);
    ImGui::AlignTextToFramePadding();
    const Palette& colours = theme.colours();
    const bool failed = !state.gpuTrouble.empty();
    ImGui::PushStyleColor(ImGuiCol_Text, failed                  ? colours.fault
                                         : state.gpuName.empty() ? colours.textDim
                                                                 : colours.good);
    ImGui::TextUnformatted(gpuText(state).c_str());
    ImGui::PopStyleColor();
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) { drawMachineTooltip(state, theme); }
  }
  ImGui::SameLine(0, theme.px(kLabelGap));
  ImGui::PushStyleColor(ImGuiCol_Button, Theme::mixed(theme.colours().panel, theme.colours().accent, 0.35F));
  if (ImGui::Button((std::string(tr("Present")) + "###present").c_str())) { togglePresenting(state); }
  ImGui::PopStyleColor();
  ImGui::SetItemTooltip("%s", trf("the stage fills the screen ({})", keyText(togglePresenting)).c_str());
  ImGui::SameLine(0, theme.px(kLabelGap));
  drawMainMenu(state);
  ImGui::SameLine(0, theme.px(kLabelGap));
  if (ImGui::Button("?")) { toggleHelp(state); }
  ImGui::SetItemTooltip("%s", trf("Manual ({})", keyText(toggleHelp)).c_str());
}

// A tab for each workspace; its tooltip names the digit that is its key.
class WorkspaceTabs {
 public:
  explicit WorkspaceTabs(const Theme& theme) : theme_(theme) {}

  [[nodiscard]] float width() const {
    float sum = 0;
    for (std::size_t i = 0; i < kWorkspaces; ++i) { sum += tabWidth(i) + theme_.px(kTabGap); }
    return sum;
  }

  void draw(AppState& state, Flow& flow) const {
    for (std::size_t i = 0; i < kWorkspaces; ++i) {
      flow.place(tabWidth(i), kTabGap);
      drawTab(state, i);
    }
  }

 private:
  static Workspace workspace(std::size_t index) { return static_cast<Workspace>(index); }
  [[nodiscard]] float pad() const { return theme_.px(7); }
  [[nodiscard]] float tabWidth(std::size_t index) const {
    return textWidth(tr(layoutOf(workspace(index)).name)) + 2 * pad();
  }

  void drawTab(AppState& state, std::size_t index) const {
    const WorkspaceLayout& layout = layoutOf(workspace(index));
    const Palette& colours = theme_.colours();
    const bool shown = state.view.tabs.workspace() == workspace(index);
    const float height = ImGui::GetFrameHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushStyleColor(ImGuiCol_Button, 0);
    ImGui::PushStyleColor(ImGuiCol_Border, 0);
    const bool pressed = ImGui::Button(fmt::format("###{}", layout.name).c_str(), {tabWidth(index), height});
    ImGui::PopStyleColor(2);
    ImGui::SetItemTooltip("%s", trf("{}: {} ({})", tr(layout.name), tr(layout.purpose), index + 1).c_str());
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 text = {at.x + pad(), at.y + (height - ImGui::GetFontSize()) / 2};
    textAt(list, text, shown ? colours.text : colours.textDim, tr(layout.name));
    if (shown) {
      const float bar = std::max(2.0F, theme_.px(2));
      list->AddRectFilled({text.x, at.y + height - bar}, {text.x + textWidth(tr(layout.name)), at.y + height},
                          colours.accent);
    }
    if (pressed) { state.view.tabs.enter(workspace(index)); }
  }

  const Theme& theme_;
};

// The choices, from left to right: variant, knobs, type, block. Those that one row has no room for are in a menu at
// its end.
class Choosers {
 public:
  Choosers(AppState& state, const Theme& theme)
      : state_(state), theme_(theme), variant_(state, theme), block_(state, theme), file_(chosenFile(state)) {
    if (file_ == nullptr) { return; }
    for (const Knob& knob : knobsOf(*file_, state.choice)) {
      const bool size = std::ranges::find(file_->sizes, knob.name, &SizeParameter::name) != file_->sizes.end();
      const auto room = [size](const Density& density) { return size ? density.size : density.knob; };
      groups_.push_back(
          {[this, knob, room](const Density& density) { return knob.width(theme_, room(density)); },
           [this, knob, room](const Density& density) { knob.draw(state_, theme_, *file_, room(density)); },
           size ? 2 : 4});
    }
    if (PrecisionPicker(theme_, *file_).width() > 0) {
      groups_.push_back({[this](const Density&) { return PrecisionPicker(theme_, *file_).width(); },
                         [this](const Density&) { PrecisionPicker(theme_, *file_).draw(state_); }, 1});
    }
    groups_.push_back({[this](const Density&) { return block_.width(); }, [this](const Density&) { drawBlock(); }, 3});
  }

  /// In a row of `width`, as rich as fits.
  void draw(Flow& flow, float width) {
    const Density& density = fold(width);
    flow.place(variantWidth(density), density.gap);
    ImGui::BeginGroup();
    variant_.draw(density.variant);
    launchButton(state_);
    ImGui::EndGroup();
    for (const Group& group : groups_) {
      if (group.folded) { continue; }
      flow.place(group.width(density), density.gap);
      group.draw(density);
    }
    drawMenu(flow, density);
  }

 private:
  struct Group {
    std::function<float(const Density&)> width;
    std::function<void(const Density&)> draw;
    int rank = 0;  ///< the lowest are folded first
    bool folded = false;
  };

  void drawBlock() {
    ImGui::BeginGroup();
    block_.draw();
    ImGui::EndGroup();
  }
  [[nodiscard]] float variantWidth(const Density& density) const {
    const std::string launch = launchText(state_);
    const float button = launch.empty() ? 0 : ImGui::GetStyle().ItemSpacing.x + buttonWidth(launch.c_str());
    return variant_.width(density.variant) + button;
  }
  [[nodiscard]] float rowWidth(const Density& density) const {
    const float gap = theme_.px(density.gap);
    float width = variantWidth(density);
    bool menu = false;
    for (const Group& group : groups_) {
      menu = menu || group.folded;
      if (!group.folded) { width += gap + group.width(density); }
    }
    return width + (menu ? gap + buttonWidth("…") : 0);
  }
  /// Finds the richest density whose row fits; from the last but one on, folds what does not.
  const Density& fold(float width) {
    for (const Density& density : std::span(kDensities).first(kDensities.size() - 1)) {
      if (rowWidth(density) <= width) { return density; }
    }
    const Density& sparse = kDensities.at(kDensities.size() - 2);
    while (rowWidth(sparse) > width) {
      Group* next = nullptr;
      for (Group& group : groups_) {  // of equals, the last one
        if (!group.folded && (next == nullptr || group.rank <= next->rank)) { next = &group; }
      }
      if (next == nullptr) { break; }
      next->folded = true;
    }
    return rowWidth(sparse) <= width ? sparse : kDensities.back();
  }
  void drawMenu(Flow& flow, const Density& density) {
    if (std::ranges::none_of(groups_, &Group::folded)) { return; }
    flow.place(buttonWidth("…"), density.gap);
    if (ImGui::Button("…###more")) { ImGui::OpenPopup(kMenu); }
    ImGui::SetItemTooltip("%s", tr("more choices"));
    if (!ImGui::BeginPopup(kMenu)) { return; }
    for (const Group& group : groups_) {
      if (group.folded) { group.draw(kDensities.front()); }
    }
    ImGui::EndPopup();
  }

  AppState& state_;
  const Theme& theme_;
  VariantPicker variant_;
  BlockPicker block_;
  const KernelFile* file_;  ///< may be missing
  std::vector<Group> groups_;
};

}  // namespace

void drawToolbar(AppState& state, const Theme& theme) {
  const FontScope font(theme, Face::Sans, TextSize::Body);
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float right = start.x + ImGui::GetContentRegionAvail().x;
  const float reserved = rightWidth(state, theme);

  ImGui::SetCursorScreenPos({right - reserved, start.y});
  drawRight(state, theme);

  ImGui::SetCursorScreenPos(start);
  const float end = right - reserved - theme.px(kLabelGap);
  const WorkspaceTabs tabs(theme);
  Flow flow(theme, end, right);
  tabs.draw(state, flow);
  Choosers(state, theme).draw(flow, end - start.x - tabs.width() - theme.px(kGroupGap));
}

}  // namespace haloscope::ui
