#include <fmt/format.h>
#include <imgui.h>
#include <misc/cpp/imgui_stdlib.h>

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "actions/Choices.h"
#include "language/Text.h"
#include "ui/widgets/Widgets.h"
#include "ui/window/LaunchWindow.h"

/// The launch table of an opened file: every value and every assumption, all editable.
namespace haloscope::ui {
namespace {

/// Where a value is from that the user has not set.
enum class From : std::uint8_t { Proposed, Executed };

const char* nameOf(From from, bool said) {
  return said ? tr("yours") : from == From::Executed ? tr("executed") : tr("proposed");
}

/// A field for one value; true when a new one was entered. Empty means the proposed value.
class Field {
 public:
  Field(const Theme& theme, const char* id, std::string shown) : theme_(theme), id_(id), text_(std::move(shown)) {}

  bool draw(const std::string& name, const std::string& hint, bool said, From from) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::AlignTextToFramePadding();
    label(theme_, theme_.colours().text, name, Face::Mono);
    ImGui::TableNextColumn();
    const FontScope font(theme_, Face::Mono, TextSize::Small);
    ImGui::SetNextItemWidth(-1);
    ImGui::PushID(id_);
    const bool entered =
        ImGui::InputTextWithHint(("##" + name).c_str(), hint.c_str(), &text_,
                                 ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    ImGui::PopID();
    ImGui::TableNextColumn();
    label(theme_, said ? theme_.colours().accent : theme_.colours().textDim, nameOf(from, said));
    if (!said && from == From::Executed) {
      ImGui::SetItemTooltip("%s", tr("As the program itself launched the kernel when its host code was executed"));
    }
    return entered;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  const Theme& theme_;
  const char* id_;
  std::string text_;
};

/// "8 8 8", "8, 8" or "8x8": up to three positive integers; missing ones are 1.
std::optional<Dim3> extentOf(const std::string& text) {
  std::vector<std::uint32_t> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    if (*at == ' ' || *at == ',' || *at == 'x' || *at == '(' || *at == ')') {
      ++at;
      continue;
    }
    std::uint32_t number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc() || number == 0) { return std::nullopt; }
    numbers.push_back(number);
    at = next;
  }
  if (numbers.empty() || numbers.size() > 3) { return std::nullopt; }
  numbers.resize(3, 1);
  return Dim3{numbers[0], numbers[1], numbers[2]};
}

std::string writtenExtent(const Dim3& extent) { return fmt::format("{}, {}, {}", extent.x, extent.y, extent.z); }

std::string shapeText(const ArrayDeclaration& array) {
  std::string text;
  for (const Expression& extent : array.shape) { text += (text.empty() ? "[" : ", ") + extent.text(); }
  return text.empty() ? "[]" : text + "]";
}

class LaunchTable {
 public:
  LaunchTable(AppState& state, const Theme& theme, const KernelFile& file, OpenedLaunch& launch)
      : state_(state), theme_(theme), file_(file), launch_(launch) {}

  void draw() {
    drawKernels();
    if (ImGui::BeginTable("launch", 3, ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_BordersInnerH)) {
      ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch, 0.32F);
      ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch, 0.5F);
      ImGui::TableSetupColumn("from", ImGuiTableColumnFlags_WidthStretch, 0.18F);
      drawExtents();
      drawParameters();
      drawMissing();
      ImGui::EndTable();
    }
    drawAssumptions();
  }

 private:
  void changed() { ++launch_.revision; }

  void drawKernels() {
    if (launch_.kernels.size() < 2) { return; }
    const std::string& chosen = file_.kernel;
    ImGui::SetNextItemWidth(-1);
    if (!ImGui::BeginCombo("##kernel", chosen.c_str())) { return; }
    for (const std::string& kernel : launch_.kernels) {
      if (ImGui::Selectable(kernel.c_str(), kernel == chosen) && kernel != chosen) {
        launch_.kernel = kernel;
        changed();
      }
    }
    ImGui::EndCombo();
  }

  /// Whether the executed launch has this, too.
  template <typename Same>
  [[nodiscard]] From originIf(Same same) const {
    return launch_.executed && same(*launch_.executed) ? From::Executed : From::Proposed;
  }

  void drawExtent(const char* name, std::optional<Dim3>& said, const std::optional<Dim3>& now,
                  Dim3 LaunchConfiguration::* part) {
    const std::optional<Dim3> shown = said ? said : now;
    Field field(theme_, "launch", shown ? writtenExtent(*shown) : "");
    const From from = originIf([&](const auto& executed) { return now == executed.configuration.*part; });
    if (!field.draw(name, tr("x, y, z; empty: default"), said.has_value(), from)) { return; }
    if (const auto extent = extentOf(field.text()); extent || field.text().empty()) {
      said = extent;
      changed();
    }
  }

  void drawExtents() {
    std::optional<LaunchConfiguration> now;
    try {
      now = file_.configuration(file_.bind(state_.choice.bindings));
    } catch (const InputError&) {
      // The problem itself is shown in the band at the top; the value is edited here.
    }
    drawExtent(tr("grid"), launch_.overrides.grid, now ? std::optional(now->grid) : std::nullopt,
               &LaunchConfiguration::grid);
    drawExtent(tr("block"), launch_.overrides.block, now ? std::optional(now->block) : std::nullopt,
               &LaunchConfiguration::block);
    std::optional<std::int64_t>& bytes = launch_.overrides.dynamicSharedBytes;
    Field field(theme_, "launch", std::to_string(bytes.value_or(now ? now->dynamicSharedBytes : 0)));
    const From from = originIf([&](const auto& executed) {
      return now && now->dynamicSharedBytes == executed.configuration.dynamicSharedBytes;
    });
    if (!field.draw(tr("dynamic shared bytes"), "0", bytes.has_value(), from)) { return; }
    std::int64_t value = 0;
    const std::string& text = field.text();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty()) {
      bytes.reset();
    } else if (error == std::errc() && end == text.data() + text.size() && value >= 0) {
      bytes = value;
    }
    changed();
  }

  void drawBinding(const std::string& name, const std::string& proposed, From from) {
    auto& bindings = launch_.overrides.bindings;
    const auto said = bindings.find(name);
    Field field(theme_, "binding", said != bindings.end() ? said->second : proposed);
    if (!field.draw(name, tr("empty: default"), said != bindings.end(), from)) { return; }
    if (field.text().empty()) {
      bindings.erase(name);
    } else {
      bindings[name] = field.text();
    }
    changed();
  }

  void drawParameters() {
    for (const SizeParameter& size : file_.sizes) {
      drawBinding(size.name, std::to_string(size.defaultValue), originIf([&](const auto& executed) {
                    const auto passed = executed.scalars.find(size.name);
                    return passed != executed.scalars.end() && passed->second == static_cast<double>(size.defaultValue);
                  }));
    }
    for (const ArrayDeclaration& array : file_.arrays) {
      drawBinding(array.name, shapeText(array), originIf([&](const auto& executed) {
                    const auto allocated = executed.elements.find(array.name);
                    return allocated != executed.elements.end() && elementsOf(array) == allocated->second;
                  }));
    }
    for (const auto& [name, value] : file_.arguments) {
      drawBinding(name, value.text(), originIf([&](const auto& executed) { return executed.scalars.contains(name); }));
    }
  }

  /// At the proposed sizes.
  [[nodiscard]] std::int64_t elementsOf(const ArrayDeclaration& array) const {
    std::int64_t elements = 1;
    try {
      for (const Expression& extent : array.shape) { elements *= extent.evaluateInteger(file_.defaults()); }
    } catch (const InputError&) { return 0; }
    return elements;
  }

  void drawMissing() {
    for (const opening::MissingValue& missing : launch_.missing) {
      auto& defines = launch_.overrides.defines;
      const auto said = defines.find(missing.name);
      Field field(theme_, "missing", said != defines.end() ? said->second : missing.value);
      if (!field.draw(missing.name, missing.type, said != defines.end(), From::Proposed)) { continue; }
      if (field.text().empty()) {
        defines.erase(missing.name);
      } else {
        defines[missing.name] = field.text();
      }
      changed();
    }
  }

  void drawAssumptions() const {
    if (launch_.assumptions.empty()) { return; }
    label(theme_, theme_.colours().text, launch_.executed ? tr("Assumed") : tr("Values missing in the source"),
          Face::SansStrong, TextSize::Body);
    ImGui::PushTextWrapPos(0);
    for (const std::string& assumption : launch_.assumptions) {
      label(theme_, theme_.colours().textDim, "· " + assumption);
    }
    ImGui::PopTextWrapPos();
  }

  AppState& state_;
  const Theme& theme_;
  const KernelFile& file_;
  OpenedLaunch& launch_;
};

}  // namespace

void drawLaunch(AppState& state, const Theme& theme) {
  const auto launch = state.launches.find(state.choice.kernel);
  const KernelFile* file = chosenFile(state);
  if (!state.view.showLaunch || launch == state.launches.end() || file == nullptr) { return; }
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos({viewport->Pos.x + viewport->Size.x / 2, viewport->Pos.y + viewport->Size.y / 2},
                          ImGuiCond_Appearing, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({theme.px(460), theme.px(440)}, ImGuiCond_Appearing);
  const FontScope font(theme, Face::Sans, TextSize::Body);
  if (ImGui::Begin(windowName(trMark("Launch")).c_str(), &state.view.showLaunch,
                   ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings)) {
    label(theme, theme.colours().textDim, tr("Enter applies a value; clear a field to restore its default."));
    LaunchTable(state, theme, *file, launch->second).draw();
  }
  ImGui::End();
}

}  // namespace haloscope::ui
