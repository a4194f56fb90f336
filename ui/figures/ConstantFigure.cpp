#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/ElementName.h"
#include "analysis/RecordedRequest.h"
#include "figures/ConstantStep.h"
#include "figures/ConstantUse.h"
#include "language/Text.h"
#include "ui/figures/FigureDrawings.h"
#include "ui/figures/FigureParts.h"
#include "ui/widgets/Widgets.h"

/// Constant memory: how much is used, how the selected thread's warp reads it in this step, and the passes of the whole
/// grid.
namespace haloscope::ui {
namespace {

using analysis::RecordedRequest;
using figures::ConstantUse;

constexpr const char* kChosenConstantAccess = "constant access";

std::string bytes(std::int64_t count) { return grouped(static_cast<std::uint64_t>(count)) + " B"; }

void drawFilling(const ConstantUse& use, const Theme& theme) {
  const Palette& colours = theme.colours();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = theme.px(14);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, {at.x + width, at.y + height}, theme.faded(colours.border, 0.6F));
  const auto share = static_cast<float>(use.share());
  if (use.bytes > 0) {
    list->AddRectFilled(at, {at.x + std::max(theme.px(2), width * std::min(share, 1.0F)), at.y + height},
                        colours.interior);
  }
  ImGui::InvisibleButton("constant bytes", {width, height}, ImGuiButtonFlags_EnableNav);
  if (lastItemAsked()) {
    const Tooltip tip(theme);
    tip.title(tr("Constant memory"), 0, Face::SansStrong);
    for (const figures::ConstantArray& array : use.arrays) {
      tip.row(array.name, trf("{} elements, {}, read {} times by threads", array.elements, bytes(array.bytes),
                              grouped(array.loads)));
    }
    tip.note(tr("64 KB on every GPU, read through a dedicated cache in each multiprocessor."));
  }
  std::string names;
  for (const figures::ConstantArray& array : use.arrays) { names += (names.empty() ? "" : ", ") + array.name; }
  label(theme, colours.text,
        trf("{} of {} ({}){}", bytes(use.bytes), bytes(figures::kConstantBytes), percentText(share),
            names.empty() ? "" : ": " + names));
}

std::string originOf(const ConstantUse& use) {
  if (std::ranges::all_of(use.arrays, &figures::ConstantArray::initialised)) {
    return tr("Its values are initialised in the source, so they are present at launch.");
  }
  // Of several arrays, the first without an initialiser.
  const figures::ConstantArray& copied = *std::ranges::find(use.arrays, false, &figures::ConstantArray::initialised);
  if (copied.copyLine == 0) {
    return trf(
        "The host must copy it before the launch with cudaMemcpyToSymbol({}, …); this file does not contain that call.",
        copied.name);
  }
  return trf(
      "Before the launch the host copies it with cudaMemcpyToSymbol({}, …) (line {}); the kernel names it without a "
      "parameter.",
      copied.name, copied.copyLine);
}

/// Lanes above, the elements they read below, a line from each lane to its element.
class AccessPicture {
 public:
  AccessPicture(const AppState& state, const Theme& theme, const RecordedRequest& request)
      : state_(state), theme_(theme), request_(request) {
    // Of a vector, a pass brings all members: the first stands for it.
    std::ranges::copy_if(request.lanes, std::back_inserter(readers_), [](const auto& lane) { return lane.part == 0; });
    for (const RecordedRequest::Lane& lane : readers_) { elements_.push_back(lane.element); }
    std::ranges::sort(elements_);
    const auto repeats = std::ranges::unique(elements_);
    elements_.erase(repeats.begin(), repeats.end());
  }

  /// In up to `height` pixels, if that is enough.
  void draw(float height) const {
    const FontScope font(theme_, Face::Mono, TextSize::Small);
    const Palette& colours = theme_.colours();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x - theme_.px(4);
    const float cell = width / kWarpSize;
    const float text = ImGui::GetTextLineHeight();
    const float line = std::clamp(height * 0.14F, text, theme_.px(34));
    const float below = at.y + line + std::clamp(height * 0.5F, theme_.px(34), theme_.px(170));
    const float slot = std::min(width / static_cast<float>(elements_.size()), theme_.px(120));
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float left = at.x + (width - slot * static_cast<float>(elements_.size())) / 2;
    for (const RecordedRequest::Lane& lane : readers_) {
      const auto place = std::ranges::find(elements_, lane.element) - elements_.begin();
      const ImU32 colour = colourOf(static_cast<std::size_t>(place));
      const float x = at.x + (static_cast<float>(lane.lane) + 0.5F) * cell;
      list->AddLine({x, at.y + line}, {left + (static_cast<float>(place) + 0.5F) * slot, below},
                    theme_.faded(colour, 0.6F));
    }
    for (int lane = 0; lane < static_cast<int>(kWarpSize); ++lane) {
      const ImVec2 min{at.x + static_cast<float>(lane) * cell, at.y};
      CellLook look{theme_.faded(colours.border, 0.5F)};
      if (const RecordedRequest::Lane* reader = laneAt(lane)) {
        const auto place = std::ranges::find(elements_, reader->element) - elements_.begin();
        look.fill = colourOf(static_cast<std::size_t>(place));
      }
      if (lane == static_cast<int>(state_.selection.thread % kWarpSize)) {
        look.outline = colours.text;
        look.strong = true;
      }
      drawCell(list, theme_, min, {min.x + cell - 1, min.y + line}, look);
    }
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      const ImVec2 min{left + static_cast<float>(i) * slot, below};
      drawCell(list, theme_, min, {min.x + slot - 1, min.y + line + theme_.px(2)}, {colourOf(i)});
      const std::string name = nameOf(elements_[i]);
      if (textWidth(name) < slot - theme_.px(4)) {
        const ImVec2 place = {min.x + (slot - textWidth(name)) / 2, min.y + theme_.px(1) + (line - text) / 2};
        textAt(list, place, theme_.textOn(colourOf(i)), name);
      }
    }
    if (const auto hovered = cellGridItem("constant lanes", {cell, line}, kWarpSize, 1)) { drawLaneTip(*hovered); }
    ImGui::SetCursorScreenPos({left, below});
    if (const auto hovered =
            cellGridItem("constant elements", {slot, line + theme_.px(2)}, static_cast<int>(elements_.size()), 1)) {
      drawElementTip(elements_[static_cast<std::size_t>(*hovered)]);
    }
    ImGui::SetCursorScreenPos({at.x, below + line + theme_.px(6)});
  }

 private:
  [[nodiscard]] std::string nameOf(std::int64_t element) const {
    return analysis::elementName(*state_.cursor.recording().program, request_.object, element);
  }
  [[nodiscard]] const RecordedRequest::Lane* laneAt(int lane) const {
    const auto found = std::ranges::find(readers_, lane, &RecordedRequest::Lane::lane);
    return found == readers_.end() ? nullptr : &*found;
  }
  /// The colour of a pass, from the first to the last.
  [[nodiscard]] ImU32 colourOf(std::size_t pass) const {
    const Palette& colours = theme_.colours();
    if (elements_.size() < 2) { return colours.interior; }
    return Theme::mixed(colours.interior, colours.halo,
                        static_cast<float>(pass) / static_cast<float>(elements_.size() - 1));
  }
  void drawLaneTip(int lane) const {
    const Tooltip tip(theme_);
    tip.title(trf("lane {}", lane));
    const RecordedRequest::Lane* reader = laneAt(lane);
    tip.row(tr("reads"), reader == nullptr ? tr("nothing in this step") : nameOf(reader->element));
  }
  void drawElementTip(std::int64_t element) const {
    const Tooltip tip(theme_);
    tip.title(nameOf(element));
    std::string lanes;
    for (const RecordedRequest::Lane& lane : readers_) {
      if (lane.element == element) { lanes += fmt::format("{}{}", lanes.empty() ? "" : ", ", lane.lane); }
    }
    tip.row(tr("lanes"), lanes);
    tip.row(tr("byte"), std::to_string(element * request_.elementBytes));
  }

  const AppState& state_;
  const Theme& theme_;
  const RecordedRequest& request_;
  std::vector<RecordedRequest::Lane> readers_;
  std::vector<std::int64_t> elements_;  ///< distinct, ascending; one pass each
};

/// The warp's accesses to constant memory in one step, and whether that is the cursor's step.
struct ShownStep {
  std::size_t step = 0;
  bool here = true;  ///< it is the cursor's step
  std::vector<recording::AccessGroup> accesses;
};

ShownStep shownStep(const AppState& state, std::uint32_t warp) {
  ShownStep shown;
  if (state.cursor.empty()) { return shown; }
  const recording::Recording& recording = state.cursor.recording();
  const std::size_t now = state.cursor.atStart() ? 0 : state.cursor.position() - 1;
  const std::optional<std::size_t> nearest = figures::nearestConstantStep(recording, warp, now);
  if (!nearest) { return shown; }
  shown.step = *nearest;
  shown.here = !state.cursor.atStart() && *nearest == now;
  for (const recording::AccessGroup& access : recording.accessesOf(*nearest)) {
    if (!figures::readsConstant(access, warp) || !analysis::beginsRequest(recording, access)) { continue; }
    shown.accesses.push_back(access);
  }
  return shown;
}

void drawAccess(AppState& state, const ConstantUse& use, const Theme& theme) {
  const Palette& colours = theme.colours();
  const std::uint32_t warp = state.selection.thread / kWarpSize;
  const ShownStep shown = shownStep(state, warp);
  const std::vector<recording::AccessGroup>& accesses = shown.accesses;
  if (accesses.empty()) {
    if (use.requests > 0) {  // otherwise no warp does, as reported below
      sentence(theme, colours.textDim,
               trf("The selected thread's warp {} reads no constant memory in this block.", warp));
    }
    return;
  }
  const int last = static_cast<int>(accesses.size()) - 1;
  const int chosen = std::clamp(storedInt(kChosenConstantAccess, 0), 0, last);
  const RecordedRequest request =
      analysis::requestOf(state.cursor.recording(), accesses[static_cast<std::size_t>(chosen)]);
  if (!shown.here) {
    const int line = request.range.line;
    sentence(theme, colours.textDim,
             trf("Warp {} reads no constant memory in the current step. Shown is the nearest step in which it "
                 "does, on line {}.",
                 warp, line));
    if (ImGui::SmallButton(trf("go to line {}", line).c_str())) { state.cursor.goTo(shown.step + 1); }
  }
  const std::string lanes = trn("{} lane reads", "{} lanes read", request.shape.lanes, request.shape.lanes);
  const std::string step = shown.here ? tr("This step") : tr("That step");
  label(theme, colours.text,
        request.shape.passes < 2 ? trf("{}, warp {}: {} one element; one broadcast serves {}.", step, warp, lanes,
                                       request.shape.lanes == 1 ? tr("it") : tr("them"))
                                 : trf("{}, warp {}: {} {} different elements in {} serialised passes.", step, warp,
                                       lanes, request.shape.passes, request.shape.passes),
        Face::SansStrong);
  if (last > 0) {
    std::int64_t next = chosen;
    if (ImGui::SmallButton(tr("previous access"))) { --next; }
    ImGui::SameLine();
    if (ImGui::SmallButton(tr("next access"))) { ++next; }
    ImGui::SameLine();
    label(theme, colours.textDim, trf("{} of {} in this step", chosen + 1, last + 1));
    store(kChosenConstantAccess, static_cast<int>(std::clamp<std::int64_t>(next, 0, last)));
  }
  // Below it are the legend, the sentence about the grid and its lines.
  const auto rows = static_cast<float>(use.lines.size() + 3);
  AccessPicture(state, theme, request)
      .draw(ImGui::GetContentRegionAvail().y - rows * ImGui::GetTextLineHeightWithSpacing());
  std::vector<LegendEntry> entries = {{colours.interior, request.shape.passes < 2 ? tr("one pass") : tr("first pass")}};
  if (request.shape.passes > 1) { entries.push_back({colours.halo, tr("last pass")}); }
  entries.push_back({theme.faded(colours.border, 0.5F), tr("lane does not read")});
  entries.push_back({colours.text, tr("selected thread"), Swatch::Outlined});
  legend(theme, entries);
}

void drawWhole(const ConstantUse& use, const Theme& theme) {
  const Palette& colours = theme.colours();
  if (use.requests == 0) {
    sentence(theme, colours.textDim, tr("No warp of the grid reads it."));
    return;
  }
  label(theme, colours.text,
        trf("Executed, whole grid: {} warp accesses in {} passes, {:.2f} each.", grouped(use.requests),
            grouped(use.passes), use.passesPerRequest()));
  for (const figures::ConstantLine& line : use.lines) {
    label(theme, line.passes > line.requests ? colours.halo : colours.textDim,
          trf("line {}: {} accesses, {} passes, {:.2f} each", line.line, grouped(line.requests), grouped(line.passes),
              line.passesPerRequest()));
  }
}

void drawWithout(const ConstantUse& use, const Theme& theme) {
  const Palette& colours = theme.colours();
  if (!use.weights) {
    sentence(theme, colours.text, tr("This kernel uses no constant memory."));
    return;
  }
  const figures::GlobalWeights& weights = *use.weights;
  sentence(theme, colours.text,
           trf("This kernel uses no constant memory: {} ({}) is read from global memory.", weights.name,
               bytes(weights.bytes)));
  sentence(theme, colours.text,
           trf("Executed: {2} accounts for {0} of the {1} loaded from global memory ({3}).",
               bytes(static_cast<std::int64_t>(weights.loadBytes)),
               bytes(static_cast<std::int64_t>(weights.allLoadBytes)), weights.name, percentText(weights.share())));
  sentence(
      theme, colours.textDim,
      tr("As __constant__ it would be read through the constant cache: one broadcast for a warp whose lanes read one "
         "element, and no load from global memory."));
}

}  // namespace

void drawConstantFigure(AppState& state, const Theme& theme) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const ConstantFigure& figure = state.figures.constant;
  if (state.experiment == nullptr) {
    sentence(theme, theme.colours().textDim,
             state.computing ? tr("The kernel is being executed …") : tr("No kernel has been executed yet."));
    return;
  }
  if (figure.experiment != state.experiment) {
    sentence(theme, theme.colours().textDim, tr("Counting the accesses to constant memory …"));
    return;
  }
  if (figure.use == nullptr) {
    sentence(theme, theme.colours().text,
             trf("The accesses to constant memory could not be counted: {}", figure.problem));
    return;
  }
  const ConstantUse& use = *figure.use;
  drawFilling(use, theme);
  if (use.arrays.empty()) {
    drawWithout(use, theme);
    return;
  }
  sentence(theme, theme.colours().textDim, originOf(use));
  ImGui::Dummy({0, theme.px(2)});
  drawAccess(state, use, theme);
  ImGui::Dummy({0, theme.px(2)});
  drawWhole(use, theme);
}

}  // namespace haloscope::ui
