#include "ui/scene/FindingBanner.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <string>

#include "actions/Findings.h"
#include "actions/Fixes.h"
#include "actions/UndoActions.h"
#include "checking/TextFixes.h"
#include "language/Text.h"
#include "ui/widgets/Shortcuts.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

constexpr std::size_t kMostChanged = 4;  ///< lines of a mending that are shown
constexpr float kPlatePad = 8;           ///< at scale 1
constexpr float kWidePlate = 620;        ///< from this width on, at scale 1, the buttons are on the heading's line

/// A plate behind what is drawn between construction and destruction.
class Plate {
 public:
  Plate(const Theme& theme, float width, ImU32 colour)
      : theme_(theme),
        list_(ImGui::GetWindowDrawList()),
        at_(ImGui::GetCursorScreenPos()),
        width_(width),
        colour_(colour) {
    list_->ChannelsSplit(2);
    list_->ChannelsSetCurrent(1);
    const float pad = theme.px(kPlatePad);
    ImGui::SetCursorScreenPos({at_.x + pad, at_.y + pad / 2});
    ImGui::BeginGroup();
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width - 2 * pad);
  }
  ~Plate() {
    ImGui::PopTextWrapPos();
    ImGui::EndGroup();
    const float bottom = ImGui::GetItemRectMax().y + theme_.px(kPlatePad) / 2;
    list_->ChannelsSetCurrent(0);
    list_->AddRectFilled(at_, {at_.x + width_, bottom}, Theme::mixed(theme_.colours().panel, colour_, 0.16F),
                         theme_.px(6));
    list_->AddRectFilled(at_, {at_.x + theme_.px(3), bottom}, colour_, theme_.px(2));
    list_->ChannelsMerge();
    ImGui::SetCursorScreenPos({at_.x, bottom + theme_.px(4)});
    ImGui::Dummy({0, 0});
  }
  Plate(const Plate&) = delete;
  Plate& operator=(const Plate&) = delete;

 private:
  const Theme& theme_;
  ImDrawList* list_;
  ImVec2 at_;
  float width_;
  ImU32 colour_;
};

void drawChange(const Theme& theme, const checking::ChangedLines& lines) {
  const auto draw = [&](ImU32 colour, char sign, const std::vector<std::string>& changed) {
    for (std::size_t i = 0; i < changed.size(); ++i) {
      const std::size_t blank = std::min(changed[i].find_first_not_of(" \t"), changed[i].size());
      label(theme, colour, fmt::format("{:>4} {} {}", lines.first + i + 1, sign, changed[i].substr(blank)), Face::Mono);
    }
  };
  draw(theme.colours().fault, '-', lines.before);
  draw(theme.colours().good, '+', lines.after);
}

void drawTried(AppState& state, const Theme& theme, float width) {
  const Plate plate(theme, width, theme.colours().good);
  label(theme, theme.colours().text, tr("The fix is in the text on screen; its file is unchanged until it is saved."));
  if (ImGui::SmallButton((trf("Take it back ({})", keyText(undoChoice)) + "###take back").c_str())) {
    takeBackFix(state);
  }
}

void drawButtons(AppState& state, const Theme& theme, const faults::Finding& finding, std::size_t index) {
  // The key goes to the next one, which is the first one while none is chosen.
  const bool chosen = state.selection.finding.has_value();
  const std::string go = chosen ? tr("Go there") : trf("Go there ({})", keyText(chooseNextFinding));
  if (ImGui::SmallButton((go + "###go").c_str())) { chooseFinding(state, index); }
  ImGui::SameLine();
  if (ImGui::SmallButton((std::string(tr("All findings")) + "###all").c_str())) {
    state.view.tabs.bringToFront(Tab::Findings);
  }
  if (!canTryFix(state, finding)) { return; }
  ImGui::SameLine();
  ImGui::PushStyleColor(ImGuiCol_Button, Theme::mixed(theme.colours().panel, theme.colours().good, 0.35F));
  if (ImGui::SmallButton((std::string(tr("Try this fix")) + "###fix").c_str())) { tryFix(state, finding); }
  ImGui::PopStyleColor();
  ImGui::SetItemTooltip(
      "%s", trf("changes the text on screen and executes it at once; {} takes it back", keyText(undoChoice)).c_str());
}

}  // namespace

void drawFindingBanner(AppState& state, const Theme& theme, float width) {
  const std::span<const faults::Finding> all = findings(state);
  const FontScope font(theme, Face::Sans, TextSize::Small);
  if (hasTriedFix(state)) { drawTried(state, theme, width); }
  // Where the panel is on screen, it says the same.
  if (all.empty() || state.view.tabs.inFront(Tab::Findings)) { return; }
  const std::size_t shown = std::min(state.selection.finding.value_or(0), all.size() - 1);
  const faults::Finding& finding = all[shown];
  const Plate plate(theme, width, theme.colours().fault);
  std::string heading = tr(faults::rowOf(finding.kind).title);
  if (finding.where.valid()) { heading += trf(", line {}", finding.where.line); }
  if (all.size() > 1) { heading += trf(" ({} of {})", shown + 1, all.size()); }
  label(theme, Theme::mixed(theme.colours().fault, theme.colours().text, 0.3F), heading, Face::SansStrong);
  if (width > theme.px(kWidePlate)) { ImGui::SameLine(0, theme.px(12)); }
  drawButtons(state, theme, finding, shown);
  label(theme, theme.colours().text, finding.text());
  if (!canTryFix(state, finding)) { return; }
  const checking::ChangedLines lines = checking::changedLines(state.experiment->file.text, finding.fix);
  if (std::max(lines.before.size(), lines.after.size()) <= kMostChanged) { drawChange(theme, lines); }
}

}  // namespace haloscope::ui
