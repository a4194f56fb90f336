#include "ui/figures/FigureText.h"

#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

void wrapped(ImU32 colour, std::string_view text) {
  ImGui::PushStyleColor(ImGuiCol_Text, colour);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

}  // namespace

void figureSentence(const Theme& theme, ImU32 colour, std::string_view text) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  wrapped(colour, text);
}

void figureTitle(const Theme& theme, std::string_view text) {
  const FontScope font(theme, Face::SansStrong, TextSize::Body);
  wrapped(theme.colours().text, text);
}

}  // namespace haloscope::ui
