#include "ui/lessons/Card.h"

namespace haloscope::ui {

namespace {
constexpr float kPadding = 14;
}  // namespace

Card::Card(const Theme& theme, float width)
    : theme_(theme), min_(ImGui::GetCursorScreenPos()), width_(width), inside_(width - 2 * theme.px(kPadding)) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->ChannelsSplit(2);
  list->ChannelsSetCurrent(1);
  ImGui::SetCursorScreenPos({min_.x + theme.px(kPadding), min_.y + theme.px(kPadding)});
  ImGui::BeginGroup();
}

ImU32 Card::ground(const Theme& theme) {
  return Theme::mixed(theme.colours().panel, theme.colours().panelRaised, 0.6F);
}

Card::~Card() {
  ImGui::EndGroup();
  const float bottom = ImGui::GetItemRectMax().y + theme_.px(kPadding);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->ChannelsSetCurrent(0);
  const Palette& colours = theme_.colours();
  list->AddRectFilled(min_, {min_.x + width_, bottom}, ground(theme_), theme_.px(8));
  list->AddRect(min_, {min_.x + width_, bottom}, colours.border, theme_.px(8));
  list->ChannelsMerge();
  ImGui::SetCursorScreenPos(min_);
  ImGui::Dummy({width_, bottom - min_.y + theme_.px(12)});
}

}  // namespace haloscope::ui
