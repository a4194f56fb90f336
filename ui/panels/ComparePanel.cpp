#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "actions/Choices.h"
#include "actions/Comparing.h"
#include "actions/Origins.h"
#include "catalogue/BookSection.h"
#include "frontend/CodeText.h"
#include "language/Text.h"
#include "render/SceneRenderers.h"
#include "ui/panels/LockstepTracks.h"
#include "ui/scene/JoinedLegend.h"
#include "ui/scene/SceneView.h"
#include "ui/widgets/Panel.h"
#include "ui/widgets/Widgets.h"

/// Variants side by side: one pane each, with their common timeline below.
namespace haloscope::ui {

namespace {

constexpr float kPaneGap = 8;        ///< between panes, at scale 1
constexpr float kPadding = 8;        ///< inside a pane
constexpr float kMostTitle = 0.35F;  ///< of the panel's width
constexpr const char* kVariants = trMark("Variants…");
constexpr const char* kBack = trMark("Back to one");
constexpr float kFigureWidth = 92;  ///< of the column of numbers in a wide pane
constexpr float kAxesHeight = 240;  ///< minimum scene height for drawing axes
constexpr float kWidePane = 1.6F;   ///< aspect ratio from which numbers are drawn next to the scene
constexpr const char* kList = "compared variants";
constexpr float kCompareListWidth = 480;  ///< of the list beside the only pane, at most

/// A labelled number in a variant's strip.
struct StripFigure {
  const char* word;
  std::string value;
  std::string brief;  ///< shorter form for narrow panes
  const char* tip;
};

std::vector<StripFigure> figuresOf(const ComparedVariant& variant) {
  const experiment::Experiment& experiment = *variant.block.experiment;
  const recording::BlockTally& tally = variant.block.tally;
  const std::size_t position = variant.cursor.position();
  const std::size_t outputs = experiment.footprint.outputs.size();
  const double perOutput = static_cast<double>(tally.loads()) / static_cast<double>(std::max<std::size_t>(outputs, 1));
  const std::string lanes = grouped(tally.activeLanes(position));
  const std::string loads = grouped(tally.loads(position));
  const std::string each = outputs == 0 ? "–" : fmt::format("{:.3g}", perOutput);
  const std::string shared = byteText(static_cast<std::uint64_t>(experiment.counts.sharedBytesPerBlock));
  const std::string opPerByte = fmt::format("{:.3g}", experiment.opPerByte.interiorBlock);
  return {{tr("lanes"), trf("{} of {}", lanes, experiment.recording->threadCount()), lanes,
           tr("threads of the block that execute the current statement")},
          {tr("loads so far"), trf("{} of {}", loads, grouped(tally.loads())), loads,
           tr("elements loaded from global memory by the block so far, of its total")},
          {tr("per output"), each, each, tr("the block's global loads divided by its output points")},
          {tr("shared"), shared, shared, tr("shared memory of the block")},
          {"OP/B", opPerByte, opPerByte,
           tr("floating-point operations per byte loaded from global memory, counted in an interior block")}};
}

/// "interval 3 of 0 … 12 · step 9 of 74"; where there is little room "interval 3 · step 9".
std::string placeText(const Comparison& comparison, std::size_t index, bool brief) {
  const ComparedVariant& variant = comparison.variants[index];
  const auto place = comparison.time.placeOf(index);
  const std::string position = grouped(variant.cursor.position());
  const std::string step =
      brief ? trf("step {}", position) : trf("step {} of {}", position, grouped(variant.cursor.end()));
  const bool atEnd = comparison.linedUpBy() == LineUp::Cell && variant.cursor.position() == variant.cursor.end();
  if (place.finished || atEnd) { return trf("finished · {}", step); }
  if (comparison.linedUpBy() == LineUp::Cell) { return step; }
  if (brief || place.count <= 1) {
    return fmt::format("{} · {}", place.count <= 1 ? tr("no barrier") : trf("interval {}", place.section), step);
  }
  return trf("interval {} of 0 … {} · {}", place.section, place.count - 1, step);
}

/// States what the panes are aligned by.
std::string sentence(const Comparison& comparison) {
  const ComparedVariant* untraced = comparison.untraced();
  if (comparison.lineUp == LineUp::Cell && untraced != nullptr) {
    if (untraced->computing) { return tr("Tracing the cell's value; aligned by interval until then."); }
    return trf("The cell's value cannot be traced in {}: aligned by interval instead.",
               shortName(untraced->choice.kernel));
  }
  if (comparison.lineUp == LineUp::Cell) {
    return trf("Aligned by the state of the output cell: {}.", cellPhaseName(comparison.time.section()));
  }
  return trf("Aligned by barrier interval {}. A kernel without barriers has only interval 0.",
             comparison.time.section());
}

class ComparePanel {
 public:
  ComparePanel(AppState& state, const Theme& theme, render::SceneRenderers& renderers)
      : state_(state), theme_(theme), comparison_(state.comparison), renderers_(renderers) {}

  void draw() {
    topRow();
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const ImVec2 available = ImGui::GetContentRegionAvail();
    renderers_.keep(comparison_.variants.size());
    // Keep the legend's height, so that scenes do not jump when a colour appears.
    const int rowsBefore = storedInt("legend rows", 1);
    const float footer = lockstepTracksHeight(state_, theme_) + legendHeight(theme_, rowsBefore);
    const bool alone = comparison_.variants.size() == 1;
    const float list = alone ? std::min(available.x * 0.45F, theme_.px(kCompareListWidth)) : 0;
    const float height = available.y - footer - theme_.px(kPaneGap);
    place(origin, {available.x - list - (alone ? theme_.px(kPaneGap) : 0), height});
    makeScenes();
    const std::vector<render::SceneLegendEntry> words = commonLegend();
    const std::vector<LegendEntry> entries = sceneLegend(theme_, words);
    store("legend rows", std::max(rowsBefore, legendRows(theme_, entries, available.x)));
    const float legendTop = origin.y + available.y - legendHeight(theme_, rowsBefore);
    for (std::size_t i = 0; i < panes_.size(); ++i) { drawPane(i); }
    if (alone) {
      ImGui::SetCursorScreenPos({origin.x + available.x - list, origin.y});
      if (ImGui::BeginChild(kList, {list, height}, ImGuiChildFlags_NavFlattened | ImGuiChildFlags_Borders)) {
        drawList(true);
      }
      ImGui::EndChild();
    }
    if (goesOn_) { store("goes on", 1); }
    const float tracksTop = legendTop - lockstepTracksHeight(state_, theme_);
    ImGui::SetCursorScreenPos({origin.x, tracksTop});
    drawLockstepTracks(state_, theme_);
    ImGui::SetCursorScreenPos({origin.x, legendTop + theme_.px(2)});
    legend(theme_, entries);
  }

 private:
  struct Pane {
    ImVec2 min, max;            ///< of its border
    ImVec2 sceneMin, sceneMax;  ///< of the picture
    std::optional<SceneView> scene;
  };

  /// One row, so that the panes get the height: what is compared, by what it is aligned, and which variants.
  void topRow() {
    const ImVec2 start = ImGui::GetCursorPos();
    const float titleWidth = heading();
    ImGui::SetCursorPos({start.x + titleWidth + theme_.px(24), start.y});
    controls();
  }

  /// Returns its width.
  [[nodiscard]] float heading() const {
    std::string title = tr("Variants side by side");
    if (comparison_.cell && state_.experiment != nullptr && state_.experiment->footprint.output != kNone) {
      const experiment::Experiment& experiment = *state_.experiment;
      const std::string& array = experiment.program->objects[experiment.footprint.output].name;
      title = trf("{} and the blocks that compute it",
                  recording::formatElement(array, comparison_.cell->extents, comparison_.cell->element));
    }
    const float most = ImGui::GetContentRegionAvail().x * kMostTitle;
    const FontScope font(theme_, Face::SansStrong, TextSize::Body);
    const float width = std::min(textWidth(title), most);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::Dummy({width, ImGui::GetTextLineHeight()});
    if (comparison_.cell) { ImGui::SetItemTooltip("%s", tr("click an output to compare another cell")); }
    clippedTextAt(ImGui::GetWindowDrawList(), at, width, theme_.colours().text, title);
    return width;
  }

  void controls() {
    static constexpr std::array kWords = {trMark("barrier interval"), trMark("output cell")};
    static constexpr std::array kTips = {
        trMark("all variants have passed the same number of barriers; a kernel without barriers has one interval"),
        trMark(
            "the output cell is in the same state in all: operands not loaded, being loaded, loaded, value written")};
    const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    label(theme_, theme_.colours().textDim, tr("align by"));
    ImGui::SameLine(0, theme_.px(8));
    const int chosen = comparison_.lineUp == LineUp::Cell ? 1 : 0;
    const int now = choiceRow(theme_, "line up", kWords, chosen, kTips);
    if (now != chosen) { lineUpBy(state_, now == 1 ? LineUp::Cell : LineUp::Interval); }
    const ImGuiStyle& style = ImGui::GetStyle();
    const auto buttonWidth = [&](const char* text) { return textWidth(text) + 2 * style.FramePadding.x; };
    const float buttons = right - buttonWidth(tr(kVariants)) - buttonWidth(tr(kBack)) - theme_.px(8);
    ImGui::SameLine(0, theme_.px(20));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = buttons - ImGui::GetCursorPosX() - theme_.px(12);
    if (room > theme_.px(40)) {
      clippedTextAt(ImGui::GetWindowDrawList(), at, room, theme_.colours().textDim, sentence(comparison_));
    }
    ImGui::SameLine(buttons);
    // With one variant the list is beside it.
    ImGui::BeginDisabled(comparison_.variants.size() == 1);
    if (ImGui::SmallButton(tr(kVariants))) { ImGui::OpenPopup(kList); }
    ImGui::EndDisabled();
    // A tick in the list beside the only pane leaves no room for that list: the choice goes on in this one.
    if (storedInt("goes on", 0) != 0) {
      ImGui::OpenPopup(kList);
      store("goes on", 0);
    }
    chooser();
    ImGui::SameLine(0, theme_.px(8));
    if (ImGui::SmallButton(tr(kBack))) { leave_ = true; }
  }

  void chooser() {
    constexpr float kHeight = 0.84F;  // maximum height of the list, as a share of the window
    ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, kHeight * ImGui::GetMainViewport()->WorkSize.y});
    const ImVec2 below = {ImGui::GetItemRectMax().x, ImGui::GetItemRectMax().y + theme_.px(2)};
    ImGui::SetNextWindowPos(below, ImGuiCond_Appearing, {1, 0});
    if (!ImGui::BeginPopup(kList)) { return; }
    drawList(false);
    ImGui::EndPopup();
  }

  /// `explained`: with the idea of each variant of the same shape.
  void drawList(bool explained) {
    const FontScope font(theme_, Face::Mono, TextSize::Body);
    if (explained) {
      label(theme_, theme_.colours().text, tr("Choose what to compare it with"), Face::SansStrong, TextSize::Body);
    }
    label(theme_, theme_.colours().textDim, tr("up to four, side by side"));
    // Variants of the same shape come first.
    const KernelFile* chosen = chosenFile(state_);
    const std::vector<const KernelFile*> family =
        chosen == nullptr ? std::vector<const KernelFile*>() : state_.catalogue.family(*chosen);
    std::optional<std::string> toggled;
    const auto box = [&](const KernelFile& file) {
      bool on = isCompared(state_, file.id);
      const std::size_t count = comparison_.variants.size();
      ImGui::BeginDisabled(on ? count == 1 : count == Comparison::kMost);
      if (ImGui::Checkbox((shownName(state_.catalogue, file.id) + "##" + file.id).c_str(), &on)) { toggled = file.id; }
      ImGui::EndDisabled();
    };
    if (!family.empty()) { label(theme_, theme_.colours().textDim, tr("of the same shape"), Face::SansStrong); }
    for (const KernelFile* file : family) {
      box(*file);
      if (!explained || file->idea.empty()) { continue; }
      ImGui::Indent(ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x);
      ImGui::PushTextWrapPos(0);
      label(theme_, theme_.colours().textDim, tr(file->idea));
      ImGui::PopTextWrapPos();
      ImGui::Unindent(ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x);
    }
    for (const BookSection& section : bookSections(state_.catalogue)) {
      bool headed = false;
      for (const KernelFile* file : section.variants) {
        if (std::ranges::find(family, file) != family.end()) { continue; }
        if (!std::exchange(headed, true)) {
          label(theme_, theme_.colours().textDim, fmt::format("{}, {}", tr(section.chapter), shownHeading(section)),
                Face::SansStrong);
        }
        box(*file);
      }
    }
    if (toggled && explained) { goesOn_ = true; }
    toggled_ = toggled;
  }

  /// Two panes are halves; three share a row if they stay about square; otherwise quarters.
  void place(ImVec2 origin, ImVec2 size) {
    const std::size_t count = comparison_.variants.size();
    const bool inRow = count <= 2 || (count == 3 && size.x / 3 > 0.6F * size.y);
    const std::size_t columns = inRow ? count : 2;
    const std::size_t rows = (count + columns - 1) / columns;
    const float gap = theme_.px(kPaneGap);
    const float width = std::floor((size.x - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns));
    const float height = std::floor((size.y - gap * static_cast<float>(rows - 1)) / static_cast<float>(rows));
    const float padding = theme_.px(kPadding);
    wide_ = width > kWidePane * height;
    for (std::size_t i = 0; i < count; ++i) {
      Pane& pane = panes_.emplace_back();
      pane.min = {origin.x + static_cast<float>(i % columns) * (width + gap),
                  origin.y + static_cast<float>(i / columns) * (height + gap)};
      pane.max = {pane.min.x + width, pane.min.y + height};
      pane.sceneMin = {pane.min.x + padding / 2, pane.min.y + headHeight()};
      pane.sceneMax = {pane.max.x - padding / 2 - (wide_ ? theme_.px(kFigureWidth) : 0),
                       pane.max.y - (wide_ ? padding / 2 : statementHeight() + figuresHeight())};
    }
  }

  [[nodiscard]] float headHeight() const { return theme_.textPixels(TextSize::Body) + theme_.px(kPadding); }
  [[nodiscard]] float statementHeight() const { return theme_.textPixels(TextSize::Small) + theme_.px(kPadding); }
  [[nodiscard]] float figuresHeight() const {
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    return 2 * ImGui::GetTextLineHeight() + theme_.px(2);
  }

  void makeScenes() {
    for (std::size_t i = 0; i < panes_.size(); ++i) {
      const ComparedVariant& variant = comparison_.variants[i];
      if (!variant.shown() || !variant.viewedAt) { continue; }
      Pane& pane = panes_[i];
      const bool focus = i == comparison_.focus && comparison_.follows(state_.experiment);
      const std::uint32_t writer =
          comparison_.cell ? variant.block.experiment->writes.writer(comparison_.cell->element).value_or(0) : 0;
      SceneStage stage{{*variant.block.experiment, variant.cursor, variant.view},
                       focus ? state_.selection.thread : writer,
                       sceneFaults(state_, *variant.block.experiment),
                       {variant.block.trace, focus ? state_.origins.operand : std::nullopt},
                       comparison_.cell ? std::optional(comparison_.cell->element) : std::nullopt,
                       pane.sceneMax.y - pane.sceneMin.y > theme_.px(kAxesHeight)};
      pane.scene.emplace(state_, theme_, renderers_.at(i), std::move(stage));
      pane.scene->update({pane.sceneMax.x - pane.sceneMin.x, pane.sceneMax.y - pane.sceneMin.y});
    }
  }

  [[nodiscard]] std::vector<render::SceneLegendEntry> commonLegend() const {
    std::vector<render::SceneLegendEntry> entries;
    for (const Pane& pane : panes_) {
      if (!pane.scene) { continue; }
      const auto& own = pane.scene->model().legend;
      entries.insert(entries.end(), own.begin(), own.end());
    }
    return joinedLegend(theme_, entries);
  }

  void drawPane(std::size_t index) {
    const ComparedVariant& variant = comparison_.variants[index];
    Pane& pane = panes_[index];
    const Palette& colours = theme_.colours();
    const bool focus = index == comparison_.focus;
    ImGui::PushID(static_cast<int>(index));
    head(index);
    if (pane.scene) {
      act(index, pane.scene->draw("scene", pane.sceneMin, pane.sceneMax));
      if (!wide_) {
        const float padding = theme_.px(kPadding);
        const ImVec2 below = {pane.min.x + padding, pane.sceneMax.y + theme_.px(1)};
        statement(variant, below, pane.max.x - padding - below.x);
      }
      wide_ ? figuresBeside(variant, pane) : figuresBelow(variant, pane);
    } else {
      message(variant, pane);
    }
    ImGui::GetWindowDrawList()->AddRect(pane.min, pane.max, focus ? colours.accent : colours.border, theme_.px(6),
                                        theme_.px(focus ? 1.5F : 1.0F));
    ImGui::PopID();
  }

  void head(std::size_t index) {
    const ComparedVariant& variant = comparison_.variants[index];
    const Pane& pane = panes_[index];
    const Palette& colours = theme_.colours();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float padding = theme_.px(kPadding);
    const ImVec2 at = {pane.min.x + padding, pane.min.y + theme_.px(4)};
    const float width = pane.max.x - pane.min.x - 2 * padding;
    ImGui::SetCursorScreenPos(pane.min);
    if (ImGui::InvisibleButton("head", {pane.max.x - pane.min.x, headHeight()}, ImGuiButtonFlags_EnableNav)) {
      focused_ = index;
    }
    float nameWidth = 0;
    {
      const FontScope font(theme_, Face::SansStrong, TextSize::Body);
      const std::string name = shownName(state_.catalogue, variant.choice.kernel);
      nameWidth = std::min(textWidth(name), width);
      clippedTextAt(list, at, width, index == comparison_.focus ? colours.accent : colours.text, name);
    }
    if (!variant.shown()) { return; }
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    const float room = width - nameWidth - theme_.px(12);
    std::string text = placeText(comparison_, index, false);
    if (textWidth(text) > room) { text = placeText(comparison_, index, true); }
    const float wide = std::min(textWidth(text), room);
    const float y = at.y + (theme_.textPixels(TextSize::Body) - ImGui::GetFontSize()) * 0.7F;
    if (room > theme_.px(40)) { clippedTextAt(list, {at.x + width - wide, y}, room, colours.activeText, text); }
    if (wide_) {
      const float beside = room - wide - theme_.px(12);
      statement(variant, {at.x + nameWidth + theme_.px(12), y}, std::max(0.0F, beside));
    }
  }

  /// The current statement.
  void statement(const ComparedVariant& variant, ImVec2 at, float width) const {
    const Palette& colours = theme_.colours();
    const FontScope font(theme_, Face::Mono, TextSize::Small);
    const recording::Step* step = variant.cursor.current();
    if (step == nullptr || step->statement == kNone) {
      clippedTextAt(ImGui::GetWindowDrawList(), at, width, colours.textDim, tr("before the first statement"));
      return;
    }
    const experiment::Experiment& experiment = *variant.block.experiment;
    const SourceRange& range = experiment.program->statements[step->statement].range;
    const std::string text = fmt::format("{}  {}", range.line, excerpt(experiment.file.text, range, 120));
    clippedTextAt(ImGui::GetWindowDrawList(), at, width, colours.text, text);
  }

  /// A label above its value.
  void figure(const StripFigure& figure, ImVec2 at, float width, const std::string& value) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float line = ImGui::GetTextLineHeight();
    clippedTextAt(list, at, width, theme_.colours().textDim, figure.word);
    clippedTextAt(list, {at.x, at.y + line}, width, theme_.colours().text, value);
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, {at.x + width, at.y + 2 * line})) {
      const Tooltip tip(theme_);
      tip.note(figure.tip, theme_.colours().text);
    }
  }

  /// What the block has cost so far, in one row.
  void figuresBelow(const ComparedVariant& variant, const Pane& pane) const {
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    const float padding = theme_.px(kPadding);
    const float width = pane.max.x - pane.min.x - 2 * padding;
    const std::vector<StripFigure> figures = figuresOf(variant);
    const auto gaps = static_cast<float>(figures.size() - 1);
    const auto widthOf = [&](const StripFigure& one, bool brief) {
      return std::max(textWidth(one.word), textWidth(brief ? one.brief : one.value));
    };
    const auto needed = [&](bool brief) {
      float sum = 0;
      for (const StripFigure& one : figures) { sum += widthOf(one, brief); }
      return sum;
    };
    const bool brief = needed(false) + gaps * theme_.px(kPadding) > width;
    const float gap = std::max(theme_.px(4), (width - needed(brief)) / gaps);
    ImVec2 at = {pane.min.x + padding, pane.sceneMax.y + statementHeight() - theme_.px(3)};
    for (const StripFigure& one : figures) {
      const float wide = widthOf(one, brief);
      figure(one, at, std::max(0.0F, std::min(wide, pane.max.x - padding - at.x)), brief ? one.brief : one.value);
      at.x += wide + gap;
    }
  }

  /// The same numbers in a column next to the scene.
  void figuresBeside(const ComparedVariant& variant, const Pane& pane) const {
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    const std::vector<StripFigure> figures = figuresOf(variant);
    const float height = 2 * ImGui::GetTextLineHeight();
    const float room = pane.sceneMax.y - pane.sceneMin.y;
    const float pitch = std::min(height + theme_.px(4), room / static_cast<float>(figures.size()));
    ImVec2 at = {pane.sceneMax.x, pane.sceneMin.y};
    for (const StripFigure& one : figures) {
      figure(one, at, pane.max.x - theme_.px(4) - at.x, one.value);
      at.y += pitch;
    }
  }

  void message(const ComparedVariant& variant, const Pane& pane) const {
    const float padding = theme_.px(kPadding);
    ImGui::SetCursorScreenPos({pane.min.x + padding, pane.sceneMin.y + padding});
    ImGui::PushTextWrapPos(pane.max.x - padding - ImGui::GetWindowPos().x);
    const bool failed = !variant.block.problem.empty();
    label(theme_, failed ? theme_.colours().fault : theme_.colours().textDim,
          failed ? variant.block.problem : tr("executing the block that computes the cell…"));
    ImGui::PopTextWrapPos();
  }

  void act(std::size_t index, const SceneAnswer& answer) {
    const bool focus = index == comparison_.focus;
    if (focus && answer.thread) { state_.selection.hoveredThread = answer.thread; }
    if (answer.followed) { state_.view.tabs.bringToFront(Tab::Origins); }
    if (!answer.clicked && !answer.followed) { return; }
    if (focus && answer.thread) {
      state_.selection.thread = *answer.thread;
      state_.selection.output.reset();
    }
    if (answer.output) { state_.selection.output = answer.output; }
    if (!focus) { focused_ = index; }
  }

 public:
  /// Changes to the list of variants are applied after all panes are drawn.
  void changeVariants() {
    if (focused_) { focusVariant(state_, *focused_); }
    if (toggled_) { toggleCompared(state_, *toggled_); }
    if (leave_) { leaveComparison(state_); }
  }

 private:
  AppState& state_;
  const Theme& theme_;
  Comparison& comparison_;
  render::SceneRenderers& renderers_;
  std::vector<Pane> panes_;
  bool wide_ = false;  ///< panes are
  std::optional<std::size_t> focused_;
  std::optional<std::string> toggled_;
  bool goesOn_ = false;  ///< the choice of variants
  bool leave_ = false;
};

void drawCompare(AppState& state, const Theme& theme, const PanelTools& tools) {
  if (!state.comparison.on) {
    panelHeading(theme, tr("Variants side by side"));
    label(theme, theme.colours().textDim, tr("There is no kernel to compare with others."));
    return;
  }
  ComparePanel panel(state, theme, tools.scenes);
  panel.draw();
  panel.changeVariants();
}

}  // namespace

extern const Panel kComparePanel = {.tab = Tab::Compare, .title = trMark("Side by side"), .draw = drawCompare};

}  // namespace haloscope::ui
