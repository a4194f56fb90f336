#include "ui/window/VariantPicker.h"

#include <fmt/format.h>
#include <imgui_internal.h>
#include <misc/cpp/imgui_stdlib.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "actions/Choices.h"
#include "catalogue/BookSection.h"
#include "language/Text.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

constexpr const char* kBox = "##variant";
constexpr float kWidth = 900;     // of the list, at scale 1: the longest idea fits
constexpr float kHeight = 0.84F;  // of it, as a share of the window's

void variantTooltip(const Theme& theme, const KernelFile& file) {
  if (!ImGui::BeginItemTooltip()) { return; }
  ImGui::PushTextWrapPos(theme.px(360));
  label(theme, theme.colours().text, tr(file.title), Face::SansStrong, TextSize::Body);
  label(theme, theme.colours().text, tr(file.idea));
  label(theme, theme.colours().textDim, file.book);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

}  // namespace

std::string VariantPicker::boxText(const Room& room) const {
  const std::string name = shownName(state_.catalogue, state_.choice.kernel);
  return room.chapter ? name : shortName(name);
}

float VariantPicker::width(const Room& room) const {
  const FontScope font(theme_, Face::Mono, TextSize::Body);
  const float needed =
      textWidth(boxText(room)) + ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().FramePadding.x + theme_.px(4);
  return std::max(theme_.px(room.width), std::min(needed, theme_.px(room.most)));
}

void VariantPicker::draw(const Room& room) {
  const ImGuiID popup = ImHashStr("##ComboPopup", 0, ImGui::GetID(kBox));
  if (std::exchange(state_.view.openVariants, false)) { ImGui::OpenPopupEx(popup); }
  const bool wasOpen = ImGui::IsPopupOpen(popup, ImGuiPopupFlags_None);
  theme_.push(Face::Mono, TextSize::Body);
  ImGui::SetNextItemWidth(width(room));
  if (wasOpen) {
    const ImVec2 screen = ImGui::GetMainViewport()->WorkSize;
    ImGui::SetNextWindowSizeConstraints({0, 0}, {screen.x - theme_.px(16), screen.y * kHeight});
  }
  const bool open = ImGui::BeginCombo(kBox, boxText(room).c_str(), ImGuiComboFlags_HeightLargest);
  theme_.pop();
  if (open) {
    drawList(ImGui::IsWindowAppearing());
    ImGui::EndCombo();
    // The keys go on with the window's own meaning: no box elsewhere is what a next Enter would open.
    if (!ImGui::IsPopupOpen(popup, ImGuiPopupFlags_None)) { ImGui::SetWindowFocus(nullptr); }
  } else if (const KernelFile* file = chosenFile(state_)) {
    variantTooltip(theme_, *file);
  }
}

void VariantPicker::drawList(bool opened) {
  if (opened) {
    state_.view.variantQuery.clear();
    state_.view.variantRow = state_.choice.kernel;
  }
  std::vector<BookSection> sections = bookSections(state_.catalogue);
  std::vector<const KernelFile*> found;
  float nameWidth = 0;
  for (BookSection& section : sections) {
    std::erase_if(section.variants, [&](const KernelFile* file) { return !matches(*file, state_.view.variantQuery); });
    found.insert(found.end(), section.variants.begin(), section.variants.end());
  }
  {
    const FontScope font(theme_, Face::Mono, TextSize::Body);
    for (const KernelFile& file : state_.catalogue.kernels()) {
      nameWidth = std::max(nameWidth, textWidth(shownName(state_.catalogue, file.id)));
    }
  }
  const std::string before = state_.view.variantRow;
  drawSearch(opened, found);
  const bool moved = opened || before != state_.view.variantRow;
  const float rows =
      ImGui::GetMainViewport()->WorkSize.y * kHeight - ImGui::GetFrameHeightWithSpacing() - theme_.px(24);
  if (ImGui::BeginChild("rows", {theme_.px(kWidth), rows})) {
    const std::string* chapter = nullptr;
    for (const BookSection& section : sections) {
      if (section.variants.empty()) { continue; }
      if (chapter == nullptr || *chapter != section.chapter) {
        label(theme_, theme_.colours().text, section.chapter, Face::SansStrong, TextSize::Body);
      }
      chapter = &section.chapter;
      label(theme_, theme_.colours().textDim, shownHeading(section), Face::SansStrong);
      for (const KernelFile* file : section.variants) {
        drawRow(*file, nameWidth, moved && file->id == state_.view.variantRow);
        drawKernels(*file);
      }
    }
    if (found.empty()) {
      label(theme_, theme_.colours().textDim,
            trf("No variant has \"{}\" in its name, title, idea or section.", state_.view.variantQuery));
    }
  }
  ImGui::EndChild();
}

void VariantPicker::drawSearch(bool opened, const std::vector<const KernelFile*>& found) {
  std::string& query = state_.view.variantQuery;
  std::string& row = state_.view.variantRow;
  // The row that Enter chooses is one of those that are shown.
  const auto place = [&] { return std::ranges::find(found, row, &KernelFile::id) - found.begin(); };
  const auto count = static_cast<std::ptrdiff_t>(found.size());
  if (place() == count && count > 0) { row = found.front()->id; }

  // Taken by the field, the arrows up and down come as its history.
  std::ptrdiff_t by = 0;
  const auto callback = [](ImGuiInputTextCallbackData* data) {
    *static_cast<std::ptrdiff_t*>(data->UserData) = data->EventKey == ImGuiKey_UpArrow ? -1 : 1;
    return 0;
  };
  if (opened) { ImGui::SetKeyboardFocusHere(); }
  ImGui::SetNextItemWidth(theme_.px(kWidth) - theme_.px(100));
  const bool entered = ImGui::InputTextWithHint(
      "##search", tr("search: 27, halo, constant, half, section 8.4 …"), &query,
      ImGuiInputTextFlags_CallbackHistory | ImGuiInputTextFlags_EnterReturnsTrue, callback, &by);
  ImGui::SameLine();
  frameLabel(theme_, trf("{} of {}", found.size(), state_.catalogue.kernels().size()), Face::Sans);
  if (by != 0 && count > 0) { row = found[static_cast<std::size_t>((place() + by + count) % count)]->id; }
  if (entered && place() < count) { choose(*found[static_cast<std::size_t>(place())]); }
  if (entered || ImGui::IsKeyPressed(ImGuiKey_Escape, false)) { ImGui::CloseCurrentPopup(); }
}

void VariantPicker::choose(const KernelFile& file) {
  if (file.id != state_.choice.kernel) { state_.choice = withKernel(state_, file); }
}

void VariantPicker::drawRow(const KernelFile& file, float nameWidth, bool scrollTo) {
  const Palette& colours = theme_.colours();
  const std::string name = shownName(state_.catalogue, file.id);
  const ImVec2 row = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float lineHeight = theme_.textPixels(TextSize::Body) + theme_.px(4);
  const float height = lineHeight + theme_.textPixels(TextSize::Small) + theme_.px(4);
  const FontScope font(theme_, Face::Mono, TextSize::Body);
  if (ImGui::Selectable(("##" + file.id).c_str(), file.id == state_.view.variantRow, ImGuiSelectableFlags_None,
                        {0, height})) {
    choose(file);
    ImGui::CloseCurrentPopup();
  }
  if (scrollTo) { ImGui::SetScrollHereY(); }
  ImDrawList* list = ImGui::GetWindowDrawList();
  const bool chosen = file.id == state_.choice.kernel;
  textAt(list, {row.x + theme_.px(12), row.y + theme_.px(1)}, chosen ? colours.activeText : colours.text, name);
  const FontScope small(theme_, Face::Sans, TextSize::Small);
  const float titleX = nameWidth + theme_.px(36);
  const std::string types = file.precision ? file.precision->typeNames() : "";
  const float typesX = width - textWidth(types) - theme_.px(8);
  textAt(list, {row.x + typesX, row.y + theme_.px(3)}, colours.textDim, types);
  clippedTextAt(list, {row.x + titleX, row.y + theme_.px(3)}, typesX - theme_.px(12) - titleX, colours.text,
                tr(file.title));
  clippedTextAt(list, {row.x + theme_.px(24), row.y + lineHeight}, width - theme_.px(24), colours.textDim,
                tr(file.idea));
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
    choose(file);
    ImGui::CloseCurrentPopup();
  }
}

}  // namespace haloscope::ui
