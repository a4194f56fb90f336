#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "actions/Choices.h"
#include "actions/ViewActions.h"
#include "language/Text.h"
#include "ui/widgets/Shortcuts.h"
#include "ui/widgets/Widgets.h"
#include "ui/window/BlockPicker.h"
#include "ui/window/Knob.h"
#include "ui/window/PrecisionPicker.h"
#include "ui/window/Toolbar.h"
#include "ui/window/VariantPicker.h"
#include "ui/window/ViewMenu.h"

namespace haloscope::ui {

namespace {

constexpr float kGroupGap = 20;  // between one choice and the next, at scale 1
constexpr float kLabelGap = 8;   // between a name and its widget
constexpr float kRowGap = 8;
constexpr float kTabGap = 2;  // between the tabs of workspaces
constexpr const char* kBrand = "Haloscope";

// What the bar shows apart from the widgets themselves: as much as one row has room for.
struct Density {
  Knob::Room knob{};
  bool words = true;  ///< "variant", "block"
  VariantPicker::Room variant{};
  float gap = kGroupGap;
};
constexpr std::array kDensities = {
    Density{},
    Density{{84, false}},
    Density{{84, false}, false, {120}},
    Density{{48, false}, false, {120}},
    Density{{40, false}, false, {120, false}, 12},
    Density{{0, false}, false, {120, false}, 12},
};

// Lays groups of widgets from left to right and begins a new row where one does not fit.
class Flow {
 public:
  /// From the cursor to `right`; rows after the first reach to `lowerRight`.
  Flow(const Theme& theme, float gap, float right, float lowerRight)
      : theme_(theme),
        gap_(theme.px(gap)),
        right_(right),
        lowerRight_(lowerRight),
        left_(ImGui::GetCursorScreenPos().x) {}

  void place(float width) {
    if (!first_) {
      const float next = ImGui::GetItemRectMax().x + gap_;
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
  float gap_;  ///< between groups
  float right_, lowerRight_, left_;
  bool first_ = true;
};

void drawBrand(const Theme& theme) {
  const float height = ImGui::GetFrameHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const FontScope font(theme, Face::SansStrong, TextSize::Heading);
  ImGui::Dummy({textWidth(kBrand), height});
  textAt(ImGui::GetWindowDrawList(), {at.x, at.y + (height - ImGui::GetFontSize()) / 2}, theme.colours().text, kBrand);
}

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

float rightWidth(const AppState& state, const Theme& theme) {
  const ImGuiStyle& style = ImGui::GetStyle();
  return ImGui::GetFrameHeight() + frameLabelWidth(theme, state.gpuName, Face::Sans) + textWidth(tr("View")) +
         textWidth("?") + 4 * style.FramePadding.x + theme.px(4 * kLabelGap);
}

void drawRight(AppState& state, const Theme& theme) {
  drawBusy(theme, state.computing);
  ImGui::SameLine(0, theme.px(kLabelGap));
  if (!state.gpuName.empty()) {  // that there is none, the status bar says
    const FontScope font(theme, Face::Sans, TextSize::Small);
    ImGui::AlignTextToFramePadding();
    ImGui::PushStyleColor(ImGuiCol_Text, theme.colours().good);
    ImGui::TextUnformatted(state.gpuName.c_str());
    ImGui::PopStyleColor();
    ImGui::SameLine(0, theme.px(kLabelGap));
  }
  drawViewMenu(state);
  ImGui::SameLine(0, theme.px(kLabelGap));
  if (ImGui::Button("?")) { toggleHelp(state); }
  ImGui::SetItemTooltip("%s", trf("Shortcuts and glossary ({})", keyText(toggleHelp)).c_str());
}

// A tab for each workspace, with the digit that is its key.
class WorkspaceTabs {
 public:
  WorkspaceTabs(const Theme& theme, bool digits) : theme_(theme), digits_(digits) {}

  [[nodiscard]] float width() const {
    float sum = 0;
    for (std::size_t i = 0; i < kWorkspaces; ++i) { sum += tabWidth(i) + theme_.px(kTabGap); }
    return sum;
  }

  void draw(AppState& state, Flow& flow) const {
    for (std::size_t i = 0; i < kWorkspaces; ++i) {
      flow.place(tabWidth(i));
      drawTab(state, i);
    }
  }

 private:
  static Workspace workspace(std::size_t index) { return static_cast<Workspace>(index); }
  static std::string digit(std::size_t index) { return fmt::format("{}", index + 1); }
  [[nodiscard]] float digitWidth(std::size_t index) const {
    if (!digits_) { return 0; }
    const FontScope small(theme_, Face::Mono, TextSize::Small);
    return textWidth(digit(index)) + theme_.px(6);
  }
  [[nodiscard]] float tabWidth(std::size_t index) const {
    return digitWidth(index) + textWidth(tr(layoutOf(workspace(index)).name)) + 2 * ImGui::GetStyle().FramePadding.x;
  }

  void drawTab(AppState& state, std::size_t index) const {
    const WorkspaceLayout& layout = layoutOf(workspace(index));
    const Palette& colours = theme_.colours();
    const bool shown = state.view.tabs.workspace() == workspace(index);
    const float height = ImGui::GetFrameHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushStyleColor(ImGuiCol_Button, shown ? colours.panelRaised : 0);
    ImGui::PushStyleColor(ImGuiCol_Border, shown ? colours.border : 0);
    const bool pressed = ImGui::Button(fmt::format("###{}", layout.name).c_str(), {tabWidth(index), height});
    ImGui::PopStyleColor(2);
    ImGui::SetItemTooltip("%s", trf("{}: {} ({})", tr(layout.name), tr(layout.purpose), index + 1).c_str());
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImVec2 text = {at.x + ImGui::GetStyle().FramePadding.x, at.y};
    if (digits_) {
      const FontScope small(theme_, Face::Mono, TextSize::Small);
      textAt(list, {text.x, at.y + (height - ImGui::GetFontSize()) / 2}, colours.textDim, digit(index));
      text.x += digitWidth(index);
    }
    textAt(list, {text.x, at.y + (height - ImGui::GetFontSize()) / 2}, shown ? colours.text : colours.textDim,
           tr(layout.name));
    if (shown) {
      const float bar = std::max(2.0F, theme_.px(2));
      list->AddRectFilled({text.x, at.y + height - bar}, {text.x + textWidth(tr(layout.name)), at.y + height},
                          colours.accent);
    }
    if (pressed) { state.view.tabs.enter(workspace(index)); }
  }

  const Theme& theme_;
  bool digits_;
};

// Brand and workspaces, as much of them as there is room for.
void drawWorkspaces(AppState& state, const Theme& theme, float width, float right, float lowerRight) {
  float brand = theme.px(kGroupGap);
  {
    const FontScope font(theme, Face::SansStrong, TextSize::Heading);
    brand += textWidth(kBrand);
  }
  const WorkspaceTabs full(theme, true);
  const bool room = full.width() <= width;
  const WorkspaceTabs tabs(theme, room);
  Flow flow(theme, kTabGap, right, lowerRight);
  if (brand + tabs.width() <= width) {
    flow.place(0);
    drawBrand(theme);
    ImGui::SameLine(0, theme.px(kGroupGap - kTabGap));
    ImGui::Dummy({0, ImGui::GetFrameHeight()});
  }
  tabs.draw(state, flow);
}

// The choices, from left to right: variant, knobs, type, block.
class Choosers {
 public:
  Choosers(AppState& state, const Theme& theme)
      : state_(state), theme_(theme), variant_(state, theme), block_(state, theme), file_(chosenFile(state)) {
    if (file_ != nullptr) { knobs_ = knobsOf(*file_, state.choice); }
  }

  /// The richest density whose one row fits, else the sparest.
  [[nodiscard]] const Density& densityFor(float width) const {
    for (const Density& density : kDensities) {
      if (rowWidth(density) <= width) { return density; }
    }
    return kDensities.back();
  }

  void draw(Flow& flow, const Density& density) {
    flow.place(variantWidth(density));
    ImGui::BeginGroup();
    word(tr("variant"), density);
    variant_.draw(density.variant);
    launchButton(state_);
    ImGui::EndGroup();
    for (const Knob& knob : knobs_) {
      flow.place(knob.width(theme_, density.knob));
      knob.draw(state_, theme_, *file_, density.knob);
    }
    if (const float width = precisionWidth(); width > 0) {
      flow.place(width);
      PrecisionPicker(theme_, *file_).draw(state_);
    }
    flow.place(wordWidth(tr("block"), density) + block_.width());
    ImGui::BeginGroup();
    word(tr("block"), density);
    block_.draw();
    ImGui::EndGroup();
  }

 private:
  [[nodiscard]] float wordWidth(const char* text, const Density& density) const {
    return density.words ? frameLabelWidth(theme_, text, Face::Sans) + theme_.px(kLabelGap) : 0;
  }
  void word(const char* text, const Density& density) const {
    if (!density.words) { return; }
    frameLabel(theme_, text, Face::Sans);
    ImGui::SameLine(0, theme_.px(kLabelGap));
  }
  [[nodiscard]] float variantWidth(const Density& density) const {
    const ImGuiStyle& style = ImGui::GetStyle();
    const std::string launch = launchText(state_);
    const float button = launch.empty() ? 0 : style.ItemSpacing.x + textWidth(launch) + 2 * style.FramePadding.x;
    return wordWidth(tr("variant"), density) + variant_.width(density.variant) + button;
  }
  [[nodiscard]] float precisionWidth() const { return file_ != nullptr ? PrecisionPicker(theme_, *file_).width() : 0; }
  [[nodiscard]] float rowWidth(const Density& density) const {
    const float gap = theme_.px(density.gap);
    float width = variantWidth(density) + gap + wordWidth(tr("block"), density) + block_.width();
    for (const Knob& knob : knobs_) { width += gap + knob.width(theme_, density.knob); }
    if (const float precision = precisionWidth(); precision > 0) { width += gap + precision; }
    return width;
  }

  AppState& state_;
  const Theme& theme_;
  VariantPicker variant_;
  BlockPicker block_;
  const KernelFile* file_;  ///< may be missing
  std::vector<Knob> knobs_;
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
  const float end = right - reserved - theme.px(kGroupGap);
  drawWorkspaces(state, theme, end - start.x, end, right);
  ImGui::SetCursorScreenPos({start.x, ImGui::GetCursorScreenPos().y + theme.px(2)});
  Choosers choosers(state, theme);
  const Density& density = choosers.densityFor(right - start.x);
  Flow flow(theme, density.gap, right, right);
  choosers.draw(flow, density);
}

}  // namespace haloscope::ui
