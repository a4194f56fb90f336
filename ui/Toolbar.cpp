#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "ui/BlockPicker.h"
#include "ui/Choices.h"
#include "ui/Keyboard.h"
#include "ui/Panels.h"
#include "ui/Slider.h"
#include "ui/Widgets.h"

namespace haloscope::ui {

namespace {

constexpr float kGroupGap = 20;  // between one choice and the next, at scale 1
constexpr float kLabelGap = 8;   // between a name, its widget and its range
constexpr float kRowGap = 8;
constexpr float kVariantWidth = 212;  // at least; a longer id gets the room it needs
constexpr float kSliderWidth = 84;
constexpr std::int64_t kProportionalSpan = 64;

// Lays groups of widgets from left to right and begins a new row where one does not fit.
class Flow {
 public:
  /// From the cursor to `right`; rows after the first reach to `lowerRight`.
  Flow(const Theme& theme, float right, float lowerRight)
      : theme_(theme), right_(right), lowerRight_(lowerRight), left_(ImGui::GetCursorScreenPos().x) {}

  void place(float width) {
    if (!first_) {
      const float next = ImGui::GetItemRectMax().x + theme_.px(kGroupGap);
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

void dimLabel(const Theme& theme, const std::string& text, Face face) {
  const FontScope font(theme, face, TextSize::Small);
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, theme.colours().textDim);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopStyleColor();
}

float smallWidth(const Theme& theme, const std::string& text, Face face) {
  const FontScope font(theme, face, TextSize::Small);
  return textWidth(text);
}

void drawBrand(const Theme& theme) {
  constexpr const char* kBrand = "Haloscope";
  const float height = ImGui::GetFrameHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const FontScope font(theme, Face::SansStrong, TextSize::Heading);
  ImGui::Dummy({textWidth(kBrand), height});
  textAt(ImGui::GetWindowDrawList(), {at.x, at.y + (height - ImGui::GetFontSize()) / 2}, theme.colours().text, kBrand);
}

void variantTooltip(const Theme& theme, const KernelFile& file) {
  if (!ImGui::BeginItemTooltip()) { return; }
  ImGui::PushTextWrapPos(theme.px(360));
  label(theme, theme.colours().text, file.title, Face::SansStrong, TextSize::Body);
  label(theme, theme.colours().text, file.idea);
  label(theme, theme.colours().textDim, file.book);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void variantRow(AppState& state, const Theme& theme, const KernelFile& file, float idWidth) {
  const FontScope font(theme, Face::Mono, TextSize::Body);
  const bool chosen = file.id == state.choice.kernel;
  if (ImGui::Selectable(file.id.c_str(), chosen) && !chosen) { state.choice = withKernel(state, file); }
  if (chosen) { ImGui::SetItemDefaultFocus(); }
  const ImVec2 row = ImGui::GetItemRectMin();
  {
    const FontScope titles(theme, Face::Sans, TextSize::Small);
    textAt(ImGui::GetWindowDrawList(), {row.x + idWidth + theme.px(24), row.y + theme.px(3)}, theme.colours().textDim,
           file.title);
  }
  variantTooltip(theme, file);
}

// The kernels of a file that has several.
void kernelRows(AppState& state, const Theme& theme, const KernelFile& file) {
  const auto launch = state.launches.find(file.id);
  if (launch == state.launches.end() || launch->second.kernels.size() < 2) { return; }
  const FontScope font(theme, Face::Mono, TextSize::Body);
  for (const std::string& kernel : launch->second.kernels) {
    const bool chosen = kernel == file.kernel;
    if (!ImGui::Selectable(fmt::format("   {}##{}", kernel, file.id).c_str(), chosen)) { continue; }
    if (!chosen) {
      launch->second.kernel = kernel;
      ++launch->second.revision;
    }
    if (file.id != state.choice.kernel) { state.choice = withKernel(state, file); }
  }
}

// How many things were assumed, or are missing, of the file on screen; opens the launch table.
void launchButton(AppState& state) {
  const auto launch = state.launches.find(state.choice.kernel);
  if (launch == state.launches.end()) { return; }
  const std::size_t assumed = launch->second.assumptions.size() + launch->second.missing.size();
  ImGui::SameLine();
  const std::string text = assumed == 0 ? "Launch###launch" : fmt::format("Launch: {} assumed###launch", assumed);
  if (ImGui::Button(text.c_str())) { perform(state, Action::LaunchTable); }
  ImGui::SetItemTooltip("grid, block, parameters, and what the text does not say (%s)",
                        keyText(Action::LaunchTable).c_str());
}

float variantWidth(const AppState& state, const Theme& theme) {
  const FontScope font(theme, Face::Mono, TextSize::Body);
  const float needed =
      textWidth(state.choice.kernel) + ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().FramePadding.x + theme.px(4);
  return std::max(theme.px(kVariantWidth), needed);
}

void drawVariants(AppState& state, const Theme& theme) {
  const KernelFile* chosen = chosenFile(state);
  theme.push(Face::Mono, TextSize::Body);
  ImGui::SetNextItemWidth(variantWidth(state, theme));
  const bool open = ImGui::BeginCombo("##variant", state.choice.kernel.c_str(), ImGuiComboFlags_HeightLargest);
  theme.pop();
  if (open) {
    float idWidth = 0, titleWidth = 0;
    for (const KernelFile& file : state.catalogue.kernels()) {
      const FontScope font(theme, Face::Mono, TextSize::Body);
      idWidth = std::max(idWidth, textWidth(file.id));
      titleWidth = std::max(titleWidth, smallWidth(theme, file.title, Face::Sans));
    }
    ImGui::Dummy({idWidth + titleWidth + theme.px(32), 0});
    const std::string* chapter = nullptr;
    for (const KernelFile& file : state.catalogue.kernels()) {
      if (chapter == nullptr || *chapter != file.chapter) {
        label(theme, theme.colours().textDim, file.chapter, Face::SansStrong);
      }
      chapter = &file.chapter;
      variantRow(state, theme, file, idWidth);
      kernelRows(state, theme, file);
    }
    ImGui::EndCombo();
  } else if (chosen != nullptr) {
    variantTooltip(theme, *chosen);
  }
}

// A size or a tunable: its name, its value in a box to type into, a slider, its range.
struct Knob {
  const std::string& name;
  const std::string& meaning;
  std::int64_t minimum, maximum;
  std::int64_t sliderMaximum;  ///< the slider ends earlier than what may be typed

  [[nodiscard]] std::string range() const { return fmt::format("{} … {}", minimum, sliderMaximum); }
  [[nodiscard]] float boxWidth(const Theme& theme) const {
    const FontScope font(theme, Face::Mono, TextSize::Body);
    return textWidth(std::to_string(maximum)) + 2 * ImGui::GetStyle().FramePadding.x;
  }
  [[nodiscard]] float width(const Theme& theme) const {
    return smallWidth(theme, name, Face::Mono) + boxWidth(theme) + smallWidth(theme, range(), Face::Sans) +
           theme.px(kSliderWidth + 3 * kLabelGap);
  }
};

void knobTooltip(const Theme& theme, const Knob& knob, const char* use) {
  if (!ImGui::BeginItemTooltip()) { return; }
  label(theme, theme.colours().text, knob.meaning, Face::Sans, TextSize::Body);
  label(theme, theme.colours().textDim, use);
  ImGui::EndTooltip();
}

bool valueBox(const Theme& theme, const Knob& knob, std::int64_t& value) {
  const FontScope font(theme, Face::Mono, TextSize::Body);
  ImGui::SetNextItemWidth(knob.boxWidth(theme));
  // Taken over with Enter: half a number is not a size to launch a kernel with.
  return ImGui::InputScalar(("##" + knob.name + " value").c_str(), ImGuiDataType_S64, &value, nullptr, nullptr, "%lld",
                            ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
}

void drawKnob(AppState& state, const Theme& theme, const KernelFile& file, const Knob& knob) {
  ImGui::BeginGroup();
  dimLabel(theme, knob.name, Face::Mono);
  ImGui::SameLine(0, theme.px(kLabelGap));
  std::int64_t value = chosenValue(file, state.choice, knob.name);
  bool changed = valueBox(theme, knob, value);
  knobTooltip(theme, knob, fmt::format("type a number up to {}, then Enter", knob.maximum).c_str());
  ImGui::SameLine(0, theme.px(kLabelGap));
  const std::string id = "##" + knob.name;
  changed |= Slider{id.c_str(), knob.minimum, knob.sliderMaximum, theme.px(kSliderWidth)}.draw(theme, value);
  knobTooltip(theme, knob, "drag");
  if (changed) { state.choice = withValue(file, state.choice, knob.name, value); }
  ImGui::SameLine(0, theme.px(kLabelGap));
  dimLabel(theme, knob.range(), Face::Sans);
  ImGui::EndGroup();
}

void drawKnobs(AppState& state, const Theme& theme, Flow& flow) {
  const KernelFile* file = chosenFile(state);
  if (file == nullptr) { return; }
  for (const Tunable& tunable : file->tunables) {
    const Knob knob{tunable.name, tunable.meaning, tunable.minimum, tunable.maximum, tunable.maximum};
    flow.place(knob.width(theme));
    drawKnob(state, theme, *file, knob);
  }
  for (const SizeParameter& size : file->sizes) {
    const Knob knob{size.name, size.meaning, size.minimum, size.maximum, comfortableMaximum(*file, size)};
    flow.place(knob.width(theme));
    drawKnob(state, theme, *file, knob);
  }
}

void menuItem(AppState& state, const char* text, Action action, bool on = false) {
  if (ImGui::MenuItem(text, keyText(action).c_str(), on)) { perform(state, action); }
}

// Which warp runs when: a right kernel gives the same result in every order.
void drawOrderMenu(AppState& state) {
  using simt::WarpOrder;
  if (!ImGui::BeginMenu("Order of warps")) { return; }
  struct Entry {
    WarpOrder order;
    const char* tip;
  };
  static constexpr std::array kOrders = {
      Entry{WarpOrder::SideBySide, "no warp runs ahead of another"},
      Entry{WarpOrder::InOrder, "warp 0 runs to the barrier first, then warp 1, …"},
      Entry{WarpOrder::Reversed, "the last warp runs to the barrier first"},
      Entry{WarpOrder::Random, "drawn anew for every turn"},
      Entry{WarpOrder::Adversarial, "reversed in even barrier intervals, in order in odd ones"},
  };
  for (const Entry& entry : kOrders) {
    if (ImGui::MenuItem(name(entry.order), nullptr, state.choice.order == entry.order)) {
      state.choice.order = entry.order;
    }
    ImGui::SetItemTooltip("%s", entry.tip);
  }
  ImGui::Separator();
  if (ImGui::MenuItem("another random order", nullptr, false, state.choice.order == WarpOrder::Random)) {
    ++state.choice.orderSeed;
  }
  ImGui::EndMenu();
}

void drawViewMenu(AppState& state) {
  if (ImGui::Button("View")) { ImGui::OpenPopup("view menu"); }
  if (!ImGui::BeginPopup("view menu")) { return; }
  menuItem(state, "Open a file…", Action::OpenFile);
  menuItem(state, "Bug lab", Action::BugLab, state.view.showBugLab);
  menuItem(state, "Edit the text", Action::Edit, state.editing.open);
  menuItem(state, "Save", Action::Save);
  if (ImGui::MenuItem("Save as…")) { state.view.fileDialog = View::FileDialog::SaveAs; }
  const auto copy = state.copies.find(state.choice.kernel);
  if (ImGui::MenuItem("Back to the file's text", nullptr, false,
                      copy != state.copies.end() && copy->second.changed())) {
    state.fileWishes.revert = true;
  }
  if (state.launches.contains(state.choice.kernel)) {
    menuItem(state, "Launch…", Action::LaunchTable, state.view.showLaunch);
  }
  ImGui::Separator();
  menuItem(state, "Light theme", Action::SwitchTheme, state.view.light);
  menuItem(state, "Larger text", Action::LargerText);
  menuItem(state, "Smaller text", Action::SmallerText);
  menuItem(state, "Ordinary text", Action::OrdinaryText);
  ImGui::Separator();
  menuItem(state, "Field in front", Action::FieldTab, state.view.showField);
  drawOrderMenu(state);
  menuItem(state, "Reset layout", Action::ResetLayout);
  ImGui::Separator();
  menuItem(state, "Keys and words", Action::Help, state.view.showHelp);
  if (ImGui::MenuItem("About Haloscope")) { state.view.showAbout = true; }
  menuItem(state, "Quit", Action::Quit);
  ImGui::EndPopup();
}

// A turning arc while an experiment is being made; an empty place else, so that nothing moves.
void drawBusy(const Theme& theme, bool busy) {
  const float edge = ImGui::GetFrameHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({edge, edge});
  if (!busy) { return; }
  ImGui::SetItemTooltip("executing the kernel …");
  constexpr float kTurnsPerSecond = 1.2F;
  constexpr float kTurn = 2 * std::numbers::pi_v<float>;
  const auto start = static_cast<float>(std::fmod(ImGui::GetTime() * kTurnsPerSecond, 1.0)) * kTurn;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->PathArcTo({at.x + edge / 2, at.y + edge / 2}, edge * 0.28F, start, start + kTurn * 0.7F);
  list->PathStroke(theme.colours().active, std::max(1.5F, theme.px(2)));
}

struct GpuLabel {
  std::string text;
  ImU32 colour;
};

GpuLabel gpuLabel(const AppState& state, const Theme& theme) {
  if (!state.gpuName.empty()) { return {state.gpuName, theme.colours().good}; }
  return {"no GPU", theme.colours().textDim};
}

float rightWidth(const AppState& state, const Theme& theme) {
  const ImGuiStyle& style = ImGui::GetStyle();
  return ImGui::GetFrameHeight() + smallWidth(theme, gpuLabel(state, theme).text, Face::Sans) + textWidth("View") +
         textWidth("?") + 4 * style.FramePadding.x + theme.px(4 * kLabelGap);
}

void drawRight(AppState& state, const Theme& theme) {
  drawBusy(theme, state.computing);
  ImGui::SameLine(0, theme.px(kLabelGap));
  const GpuLabel gpu = gpuLabel(state, theme);
  {
    const FontScope font(theme, Face::Sans, TextSize::Small);
    ImGui::AlignTextToFramePadding();
    ImGui::PushStyleColor(ImGuiCol_Text, gpu.colour);
    ImGui::TextUnformatted(gpu.text.c_str());
    ImGui::PopStyleColor();
  }
  if (!state.gpuMissing.empty()) { ImGui::SetItemTooltip("%s", state.gpuMissing.c_str()); }
  ImGui::SameLine(0, theme.px(kLabelGap));
  drawViewMenu(state);
  ImGui::SameLine(0, theme.px(kLabelGap));
  if (ImGui::Button("?")) { perform(state, Action::Help); }
  ImGui::SetItemTooltip("Keys and words (%s)", keyText(Action::Help).c_str());
}

}  // namespace

void drawToolbar(AppState& state, const Theme& theme) {
  const FontScope font(theme, Face::Sans, TextSize::Body);
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float right = start.x + ImGui::GetContentRegionAvail().x;
  const float reserved = rightWidth(state, theme);

  ImGui::SetCursorScreenPos({right - reserved, start.y});
  drawRight(state, theme);

  ImGui::SetCursorScreenPos(start);
  Flow flow(theme, right - reserved - theme.px(kGroupGap), right);
  const float variantLabel = smallWidth(theme, "variant", Face::Sans) + theme.px(kLabelGap);
  flow.place(0);
  drawBrand(theme);
  flow.place(variantLabel + variantWidth(state, theme));
  ImGui::BeginGroup();
  dimLabel(theme, "variant", Face::Sans);
  ImGui::SameLine(0, theme.px(kLabelGap));
  drawVariants(state, theme);
  launchButton(state);
  ImGui::EndGroup();
  drawKnobs(state, theme, flow);
  BlockPicker picker(state, theme);
  flow.place(smallWidth(theme, "block", Face::Sans) + theme.px(kLabelGap) + picker.width());
  ImGui::BeginGroup();
  dimLabel(theme, "block", Face::Sans);
  ImGui::SameLine(0, theme.px(kLabelGap));
  picker.draw();
  ImGui::EndGroup();
}

}  // namespace haloscope::ui
