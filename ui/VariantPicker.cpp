#include "ui/VariantPicker.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "ui/Choices.h"
#include "ui/Widgets.h"

namespace haloscope::ui {

namespace {

void variantTooltip(const Theme& theme, const KernelFile& file) {
  if (!ImGui::BeginItemTooltip()) { return; }
  ImGui::PushTextWrapPos(theme.px(360));
  label(theme, theme.colours().text, file.title, Face::SansStrong, TextSize::Body);
  label(theme, theme.colours().text, file.idea);
  label(theme, theme.colours().textDim, file.book);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

}  // namespace

std::string VariantPicker::boxText(const Room& room) const {
  const std::string name = shownName(state_.catalogue, state_.choice.kernel);
  return room.chapter ? name : name.substr(name.rfind('/') + 1);
}

float VariantPicker::width(const Room& room) const {
  const FontScope font(theme_, Face::Mono, TextSize::Body);
  const float needed =
      textWidth(boxText(room)) + ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().FramePadding.x + theme_.px(4);
  return std::max(theme_.px(room.width), needed);
}

void VariantPicker::draw(const Room& room) {
  theme_.push(Face::Mono, TextSize::Body);
  ImGui::SetNextItemWidth(width(room));
  const bool open = ImGui::BeginCombo("##variant", boxText(room).c_str(), ImGuiComboFlags_HeightLargest);
  theme_.pop();
  if (open) {
    drawList();
    ImGui::EndCombo();
  } else if (const KernelFile* file = chosenFile(state_)) {
    variantTooltip(theme_, *file);
  }
}

void VariantPicker::drawList() {
  float nameWidth = 0, titleWidth = 0;
  for (const KernelFile& file : state_.catalogue.kernels()) {
    const FontScope font(theme_, Face::Mono, TextSize::Body);
    nameWidth = std::max(nameWidth, textWidth(shownName(state_.catalogue, file.id)));
    titleWidth = std::max(titleWidth, frameLabelWidth(theme_, file.title, Face::Sans));
  }
  ImGui::Dummy({nameWidth + titleWidth + theme_.px(32), 0});
  const std::string* chapter = nullptr;
  for (const KernelFile& file : state_.catalogue.kernels()) {
    if (chapter == nullptr || *chapter != file.chapter) {
      label(theme_, theme_.colours().textDim, file.chapter, Face::SansStrong);
    }
    chapter = &file.chapter;
    drawRow(file, nameWidth);
    drawKernels(file);
  }
}

void VariantPicker::drawRow(const KernelFile& file, float nameWidth) {
  const FontScope font(theme_, Face::Mono, TextSize::Body);
  const bool chosen = file.id == state_.choice.kernel;
  const std::string name = shownName(state_.catalogue, file.id);
  const std::string item = name == file.id ? name : name + "##" + file.id;
  if (ImGui::Selectable(item.c_str(), chosen) && !chosen) { state_.choice = withKernel(state_, file); }
  if (chosen) { ImGui::SetItemDefaultFocus(); }
  const ImVec2 row = ImGui::GetItemRectMin();
  {
    const FontScope titles(theme_, Face::Sans, TextSize::Small);
    textAt(ImGui::GetWindowDrawList(), {row.x + nameWidth + theme_.px(24), row.y + theme_.px(3)},
           theme_.colours().textDim, file.title);
  }
  variantTooltip(theme_, file);
}

// The kernels of a file that has several.
void VariantPicker::drawKernels(const KernelFile& file) {
  const auto launch = state_.launches.find(file.id);
  if (launch == state_.launches.end() || launch->second.kernels.size() < 2) { return; }
  const FontScope font(theme_, Face::Mono, TextSize::Body);
  for (const std::string& kernel : launch->second.kernels) {
    const bool chosen = kernel == file.kernel;
    if (!ImGui::Selectable(fmt::format("   {}##{}", kernel, file.id).c_str(), chosen)) { continue; }
    if (!chosen) {
      launch->second.kernel = kernel;
      ++launch->second.revision;
    }
    if (file.id != state_.choice.kernel) { state_.choice = withKernel(state_, file); }
  }
}

}  // namespace haloscope::ui
