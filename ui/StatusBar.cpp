#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "ui/Keyboard.h"
#include "ui/Panels.h"
#include "ui/Widgets.h"

namespace haloscope::ui {

namespace {

constexpr float kGap = 16;  // between one statement and the next, at scale 1

// One statement of the bar. The bar drops details, then whole statements from the middle, where it is narrow.
struct Entry {
  std::string text;
  ImU32 colour;
  std::string tip;
};

Entry gpuEntry(const AppState& state, const Palette& colours) {
  if (!state.gpuName.empty()) { return {state.gpuName, colours.good, "The GPU that runs and times the kernels"}; }
  return {"no GPU", colours.textDim, state.gpuMissing};
}

// "NVIDIA H200/PCIe/SSE2" and "llvmpipe (LLVM 15.0.6, 256 bits)" name much that nobody asks for.
std::string shortRenderer(const std::string& renderer) { return renderer.substr(0, renderer.find_first_of("/(")); }

std::string fieldText(const FieldStatus& field) {
  switch (field.path) {
    case FieldPath::None:
      return "";
    case FieldPath::Interop:
      return "field: device memory (interop)";
    case FieldPath::HostCopy:
      return "field: copied through the host";
    case FieldPath::Emulator:
      return "field: swept by the emulator";
  }
  return "";
}

std::string recordingText(const recording::Recording& recording) {
  return recording.source == recording::Recording::Source::Gpu ? "recorded on the GPU" : "recorded on the emulator";
}

std::vector<Entry> leftEntries(const AppState& state, const Palette& colours) {
  std::vector<Entry> entries;
  entries.push_back(gpuEntry(state, colours));
  if (!state.glRenderer.empty()) {
    entries.push_back({"OpenGL: " + shortRenderer(state.glRenderer), colours.textDim, state.glRenderer});
  }
  if (state.field.path != FieldPath::None) {
    const ImU32 colour = state.field.path == FieldPath::Interop ? colours.good : colours.textDim;
    entries.push_back({fieldText(state.field), colour, state.field.pathReason});
  }
  if (!state.cursor.empty()) {
    entries.push_back({recordingText(state.cursor.recording()), colours.textDim, state.cursor.recording().message});
  }
  if (state.experiment != nullptr && !state.experiment->warnings.empty()) {
    std::string all;
    for (const std::string& warning : state.experiment->warnings) { all += (all.empty() ? "" : "\n") + warning; }
    const std::size_t count = state.experiment->warnings.size();
    entries.push_back({count == 1 ? "1 warning" : fmt::format("{} warnings", count), colours.halo, all});
  }
  return entries;
}

std::vector<Entry> rightEntries(const AppState& state, const Palette& colours) {
  std::vector<Entry> entries;
  if (state.computing) {
    entries.push_back({"executing …", colours.active, ""});
  } else if (state.lastLatencyMs > 0) {
    entries.push_back({fmt::format("executed in {:.0f} ms", state.lastLatencyMs), colours.textDim,
                       "From the choice to its picture: parsed, executed, counted and recorded"});
  }
  if (state.cursor.empty()) { return entries; }
  const recording::Cursor& cursor = state.cursor;
  std::string place = fmt::format("step {} of {}", grouped(cursor.position()), grouped(cursor.end()));
  if (const recording::Step* step = cursor.current()) {
    place += fmt::format(" · barrier interval {}", step->interval);
    if (step->plane != kNone) {
      const recording::Plane& plane = cursor.recording().planes[step->plane];
      place += plane.variable.empty() ? fmt::format(" · plane {}", step->plane)
                                      : fmt::format(" · plane {} = {}", plane.variable, plane.value);
    }
  }
  entries.push_back({place, colours.active, ""});
  return entries;
}

float widthOf(const std::vector<Entry>& entries, float gap) {
  float width = entries.empty() ? 0 : gap * static_cast<float>(entries.size() - 1);
  for (const Entry& entry : entries) { width += textWidth(entry.text); }
  return width;
}

void drawEntries(const std::vector<Entry>& entries, float gap) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i > 0) { ImGui::SameLine(0, gap); }
    ImGui::PushStyleColor(ImGuiCol_Text, entries[i].colour);
    ImGui::TextUnformatted(entries[i].text.c_str());
    ImGui::PopStyleColor();
    if (!entries[i].tip.empty()) { ImGui::SetItemTooltip("%s", entries[i].tip.c_str()); }
  }
}

// What went wrong, all of it, in a band of its own that stays until the person has read it.
void drawProblem(AppState& state, const Theme& theme) {
  const Palette& colours = theme.colours();
  const FontScope font(theme, Face::Sans, TextSize::Body);
  const float pad = theme.px(8);
  const float button = textWidth("Dismiss") + 2 * ImGui::GetStyle().FramePadding.x;
  const float width = ImGui::GetContentRegionAvail().x;
  const float textRoom = width - button - 4 * pad;
  const std::string& message = state.problem->message;
  const float textHeight = ImGui::CalcTextSize(message.c_str(), nullptr, false, textRoom).y;
  const float height = std::max(textHeight, ImGui::GetFrameHeight()) + 2 * pad;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, {at.x + width, at.y + height}, Theme::mixed(colours.panel, colours.fault, 0.18F),
                      theme.px(6));
  list->AddRect(at, {at.x + width, at.y + height}, colours.fault, theme.px(6), std::max(1.0F, theme.px(1)));
  ImGui::SetCursorScreenPos({at.x + pad, at.y + (height - textHeight) / 2});
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + textRoom);
  ImGui::PushStyleColor(ImGuiCol_Text, Theme::mixed(colours.fault, colours.text, 0.35F));
  ImGui::TextUnformatted(message.c_str());
  ImGui::PopStyleColor();
  ImGui::PopTextWrapPos();
  ImGui::SetCursorScreenPos({at.x + width - button - pad, at.y + (height - ImGui::GetFrameHeight()) / 2});
  if (ImGui::Button("Dismiss")) { state.problem.reset(); }
  ImGui::SetItemTooltip("%s", keyText(Action::Close).c_str());
  ImGui::SetCursorScreenPos({at.x, at.y + height + theme.px(4)});
  ImGui::Dummy({0, 0});
}

}  // namespace

void drawStatusBar(AppState& state, const Theme& theme) {
  if (state.problem) { drawProblem(state, theme); }
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const float gap = theme.px(kGap);
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const std::vector<Entry> right = rightEntries(state, theme.colours());
  std::vector<Entry> left = leftEntries(state, theme.colours());
  while (left.size() > 1 && widthOf(left, gap) + gap + widthOf(right, gap) > width) { left.pop_back(); }
  drawEntries(left, gap);
  if (right.empty()) { return; }
  ImGui::SetCursorScreenPos({start.x + std::max(0.0F, width - widthOf(right, gap)), start.y});
  drawEntries(right, gap);
}

}  // namespace haloscope::ui
