#include "ui/panels/ProgramTracks.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "actions/ProgramSteps.h"
#include "language/Text.h"
#include "running/LaunchVerdict.h"
#include "ui/panels/ProgramCallSigns.h"
#include "ui/panels/ProgramTooltips.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

using running::ProgramEvent;
using CallKind = ProgramColumn::Kind;

// Widths of a column at scale 1.
constexpr float kWidest = 88, kReadable = 20, kNarrow = 16, kFinest = 0.25F;
constexpr float kDense = 3;  ///< pixels; narrower columns share them
// Heights of a row in lines of text.
constexpr float kLowestRow = 0.8F, kTallestRow = 4;

class ProgramTracks {
 public:
  ProgramTracks(AppState& state, const Theme& theme)
      : state_(state),
        theme_(theme),
        program_(*state.program.executed),
        timeline_(program_.timeline),
        folded_(timeline_, state.program.column, state.program.folded),
        list_(ImGui::GetWindowDrawList()),
        line_(ImGui::GetTextLineHeight()) {}

  void draw(float height) {
    origin_ = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    layOutColumns(width);
    remembered();
    lanes_ = kernelBands().lanes();
    layOutRows(height);
    ImGui::SetCursorScreenPos({left_, origin_.y});
    ImGui::InvisibleButton("columns", {width_, bottom_ - origin_.y}, ImGuiButtonFlags_EnableNav);
    ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
    const bool hovered = ImGui::IsItemHovered();
    navigate(hovered, ImGui::IsItemActive());
    drawNames();
    list_->PushClipRect({left_, origin_.y - theme_.px(4)}, {left_ + width_, bottom_ + theme_.px(2)}, true);
    drawRows();
    if (pitch_ < kDense) {
      drawDense();
    } else {
      drawColumns();
    }
    drawSelected();
    if (hovered) { drawHover(); }
    list_->PopClipRect();
    drawScrollBar();
    ImGui::SetCursorScreenPos({origin_.x, bottom_ + theme_.px(5)});
    ImGui::Dummy({width, theme_.px(1)});
  }

 private:
  void layOutColumns(float width) {
    float names = textWidth(tr("kernel"));
    {
      const FontScope font(theme_, Face::Mono, TextSize::Small);
      for (const ProgramRow& row : timeline_.rows) { names = std::max(names, textWidth(row.name)); }
    }
    names_ = std::min(names, width * 0.3F);
    left_ = origin_.x + names_ + theme_.px(10);
    width_ = std::max(theme_.px(32), origin_.x + width - left_);
  }

  void layOutRows(float height) {
    kernelTop_ = origin_.y;
    callTop_ = kernelTop_ + static_cast<float>(lanes_) * lane();
    rowsTop_ = callTop_ + line_ + theme_.px(4);
    const float room = height - (rowsTop_ - origin_.y) - theme_.px(6);
    const auto rows = static_cast<float>(std::max<std::size_t>(1, timeline_.rows.size()));
    rowHeight_ = std::floor(std::clamp(room / rows, line_ * kLowestRow, line_ * kTallestRow));
    bottom_ = rowsTop_ + rows * rowHeight_;
  }

  /// From one lane of kernels to the next.
  [[nodiscard]] float lane() const { return line_ + theme_.px(2); }
  [[nodiscard]] float x(double place) const { return left_ + static_cast<float>((place - start_)) * pitch_; }
  [[nodiscard]] double placeAt(float x) const { return start_ + static_cast<double>((x - left_) / pitch_); }
  [[nodiscard]] double places() const { return static_cast<double>(folded_.width()); }
  [[nodiscard]] double visible() const { return static_cast<double>(width_ / pitch_); }
  [[nodiscard]] float rowTop(std::size_t row) const { return rowsTop_ + static_cast<float>(row) * rowHeight_; }

  void keepInside() {
    const float all = width_ / static_cast<float>(std::max(1.0, places()));
    pitch_ = std::clamp(pitch_, std::min(std::max(kFinest, all), theme_.px(kReadable)), theme_.px(kWidest));
    start_ = std::clamp(start_, 0.0, std::max(0.0, places() - visible()));
  }

  /// The view of the last frame; the beginning of a new program; scrolled to show what was selected.
  void remembered() {
    const bool renewed = storedChanged("program", state_.program.runs);
    const bool selected = storedChanged("column", state_.program.column ? *state_.program.column + 1 : 0);
    const float all = width_ / static_cast<float>(std::max(1.0, places()));
    // All of it, if that can be read.
    const float narrowest = all >= theme_.px(kNarrow) ? all : theme_.px(kReadable);
    if (renewed) { store("fits", 1); }
    pitch_ = storedInt("fits", 1) != 0 ? std::max(all, narrowest) : theme_.px(storedFloat("pitch", kReadable));
    start_ = renewed ? 0 : static_cast<double>(storedFloat("start", 0));
    keepInside();
    if ((selected || renewed) && state_.program.column) {
      const FoldedColumns::Item item = folded_.itemOf(*state_.program.column);
      const auto place = static_cast<double>(item.place);
      const double margin = std::min(2.0, visible() / 4);
      if (place < start_ + margin) { start_ = place - margin; }
      if (place + 1 > start_ + visible() - margin) { start_ = place + 1 + margin - visible(); }
      keepInside();
    }
  }

  void navigate(bool hovered, bool active) {
    const ImGuiIO& io = ImGui::GetIO();
    if (hovered && io.MouseWheel != 0 && !io.KeyShift) {
      store("fits", 0);
      const double at = placeAt(io.MousePos.x);
      const float before = pitch_;
      pitch_ *= std::pow(1.25F, io.MouseWheel);
      keepInside();
      start_ = at - (at - start_) * static_cast<double>(before / pitch_);
    }
    const float sideways = io.MouseWheelH + (io.KeyShift ? io.MouseWheel : 0);
    if (hovered && sideways != 0) { start_ -= static_cast<double>(sideways) * visible() / 12; }
    if (hovered && ImGui::IsMouseDragging(ImGuiMouseButton_Middle)) {
      start_ -= static_cast<double>(io.MouseDelta.x / pitch_);
    }
    if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Right)) {
      pitch_ = 0;
      store("fits", 1);
    }
    keepInside();
    store("pitch", pitch_ / theme_.scale());
    store("start", static_cast<float>(start_));
    if (active && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
      const auto item = itemAt(io.MousePos.x);
      if (item && !item->folded() && state_.program.column == item->first) {
        deselectColumn(state_);
      } else if (item) {
        selectColumn(state_, item->first);
      }
    }
  }

  [[nodiscard]] std::optional<FoldedColumns::Item> itemAt(float x) const {
    const double place = placeAt(x);
    if (place < 0 || place >= places()) { return std::nullopt; }
    return folded_.at(static_cast<std::size_t>(place));
  }

  void drawNames() {
    const Palette& colours = theme_.colours();
    textAt(list_, {origin_.x, kernelTop_}, colours.textDim, tr("kernel"));
    textAt(list_, {origin_.x, callTop_ + theme_.px(1)}, colours.textDim, tr("call"));
    const FontScope font(theme_, Face::Mono, TextSize::Small);
    for (std::size_t i = 0; i < timeline_.rows.size(); ++i) {
      ImGui::PushID(static_cast<int>(i));
      ImGui::SetCursorScreenPos({origin_.x, rowTop(i)});
      ImGui::InvisibleButton("array", {names_, rowHeight_}, ImGuiButtonFlags_EnableNav);
      const bool asked = lastItemAsked();
      const float top = rowTop(i) + (rowHeight_ - ImGui::GetTextLineHeight()) / 2;
      clippedTextAt(list_, {origin_.x, top}, names_, asked ? colours.accent : colours.text, timeline_.rows[i].name);
      if (asked) { drawArrayTooltip(program_, theme_, timeline_.rows[i]); }
      ImGui::PopID();
    }
  }

  /// Where each array exists; hatched until something is written to it.
  void drawRows() {
    const Palette& colours = theme_.colours();
    for (std::size_t i = 0; i < timeline_.rows.size(); ++i) {
      const ProgramRow& row = timeline_.rows[i];
      if (row.end <= row.begin) { continue; }
      const float top = std::round(rowTop(i) + theme_.px(2)),
                  bottom = std::round(rowTop(i) + rowHeight_ - theme_.px(2));
      const FoldedColumns::Item last = folded_.itemOf(row.end - 1);
      const float from = std::max(x(static_cast<double>(folded_.itemOf(row.begin).place)), left_ - theme_.px(4));
      const float to = std::min(x(static_cast<double>(last.place + last.width())), left_ + width_ + theme_.px(4));
      if (to <= from) { continue; }
      list_->AddRectFilled({from, top}, {to, bottom}, colours.panelRaised, theme_.px(3));
      const bool own = program_.run.allocations[row.allocation].name.empty();
      const std::size_t written = row.firstWrite.value_or(row.end);
      if (!own || written <= row.begin) { continue; }
      const float empty = written < row.end ? x(static_cast<double>(folded_.itemOf(written).place)) : to;
      if (empty > from) { drawCell(list_, theme_, {from, top}, {std::min(to, empty), bottom}, {0, 0, true, false}); }
    }
  }

  void drawColumns() {
    kernelBands().draw(list_, kernelTop_, lane(), lanes_);
    const auto end = std::min(folded_.width(), static_cast<std::size_t>(std::ceil(start_ + visible())));
    for (auto place = static_cast<std::size_t>(std::max(0.0, std::floor(start_))); place < end;) {
      const FoldedColumns::Item item = folded_.at(place);
      if (item.folded()) {
        drawFold(item);
      } else {
        drawColumn(item.first, x(static_cast<double>(item.place)), pitch_, 1.0F);
      }
      place = item.place + item.width();
    }
  }

  [[nodiscard]] KernelBands kernelBands() const {
    KernelBands bands(theme_, left_, left_ + width_);
    if (pitch_ < kDense) { return bands; }
    const auto end = std::min(folded_.width(), static_cast<std::size_t>(std::ceil(start_ + visible())));
    for (auto place = static_cast<std::size_t>(std::max(0.0, std::floor(start_))); place < end;) {
      const FoldedColumns::Item item = folded_.at(place);
      place = item.place + item.width();
      if (const std::string* const kernel = kernelOf(item)) {
        bands.add(*kernel, x(static_cast<double>(item.place)), x(static_cast<double>(place)));
      }
    }
    return bands;
  }

  /// The only kernel that an item launches; null if there is another call.
  [[nodiscard]] const std::string* kernelOf(const FoldedColumns::Item& item) const {
    const std::string* kernel = nullptr;
    for (std::size_t column = item.first; column < item.first + item.period; ++column) {
      const auto launch = timeline_.launchAt(program_.run, column);
      if (!launch) { return nullptr; }
      const std::string& name = program_.run.launches[*launch].kernel;
      if (kernel != nullptr && *kernel != name) { return nullptr; }
      kernel = &name;
    }
    return kernel;
  }

  [[nodiscard]] CopyDirection directionOf(const ProgramColumn& one) const {
    return one.kind == CallKind::Copy ? copyDirection(program_.run.events[one.event]) : CopyDirection::None;
  }

  [[nodiscard]] bool good(std::size_t column) const {
    const ProgramColumn& one = timeline_.columns[column];
    if (one.kind == CallKind::Print) { return true; }
    if (const auto launch = timeline_.launchAt(program_.run, column)) {
      return launchVerdict(program_.run.launches[*launch]).good;
    }
    return program_.run.events[one.event].error == 0;
  }

  void drawColumn(std::size_t column, float left, float width, float strength) {
    const ProgramColumn& one = timeline_.columns[column];
    const Palette& colours = theme_.colours();
    const float middle = std::round(left + width / 2);
    if (one.kind == CallKind::Synchronize) {
      const float half = std::max(1.0F, theme_.px(0.5F));
      list_->AddRectFilled({middle - half, rowsTop_}, {middle + half, bottom_}, theme_.faded(colours.text, 0.35F));
    }
    const std::vector<ArrayUse> uses = timeline_.uses(program_.run, column);
    drawConnection(one, uses, middle);
    const bool whole = one.kind == CallKind::Launch;
    const float inset = whole ? (width >= theme_.px(5) ? 1.0F : 0.0F) : std::max(1.0F, std::round(width * 0.28F));
    for (const ArrayUse& use : uses) {
      drawUse(use, std::round(left + inset), std::round(left + width - inset), strength, executed(column));
    }
    if (one.kind == CallKind::Free) { drawFreed(one, middle, width); }
    drawCall(column, one, middle, width);
  }

  void drawFreed(const ProgramColumn& one, float middle, float width) {
    const auto& place = program_.run.events[one.event].source;
    if (!place || place->allocation >= timeline_.rowOf.size() || !timeline_.rowOf[place->allocation]) { return; }
    const float centre = rowTop(*timeline_.rowOf[place->allocation]) + rowHeight_ / 2;
    drawCallSign(list_, theme_, CallKind::Free, CopyDirection::None, {middle, std::round(centre)},
                 std::min({line_ * 0.72F, width - 1, rowHeight_ * 0.6F}), theme_.colours().textDim);
  }

  [[nodiscard]] bool executed(std::size_t column) const {
    const auto launch = timeline_.launchAt(program_.run, column);
    return launch ? program_.run.launches[*launch].executed
                  : program_.run.events[timeline_.columns[column].event].error == 0;
  }

  void drawUse(const ArrayUse& use, float from, float to, float strength, bool done) {
    const Palette& colours = theme_.colours();
    const float top = std::round(rowTop(use.row) + theme_.px(2));
    const float bottom = std::round(rowTop(use.row) + rowHeight_ - theme_.px(2));
    const float middle = std::round((top + bottom) / 2);
    to = std::max(to, from + 1);
    const auto part = [&](float y0, float y1, ImU32 colour) {
      if (done) {
        list_->AddRectFilled({from, y0}, {to, y1}, theme_.faded(colour, strength),
                             to - from > theme_.px(6) ? theme_.px(2) : 0);
      } else {  // what it would have done
        list_->AddRect({from, y0}, {to, y1}, colour, 0, std::max(1.0F, theme_.px(1)));
      }
    };
    if (use.reads && use.writes) {
      part(top, middle, colours.interior);
      part(middle, bottom, colours.output);
    } else {
      part(top, bottom, use.reads ? colours.interior : colours.output);
    }
  }

  /// A line through what belongs together: the arrays of a launch, the ends of a copy.
  void drawConnection(const ProgramColumn& one, const std::vector<ArrayUse>& uses, float x) {
    if (uses.empty() || one.kind == CallKind::Allocate || one.kind == CallKind::Free) { return; }
    const Palette& colours = theme_.colours();
    const float thick = std::max(1.0F, theme_.px(1.5F));
    const auto middleOf = [&](std::size_t row) { return rowTop(row) + rowHeight_ / 2; };
    const float first = middleOf(uses.front().row), last = middleOf(uses.back().row);
    const ImU32 colour = Theme::mixed(colours.panel, colours.text, 0.55F);
    const CopyDirection direction = directionOf(one);
    const bool host = direction == CopyDirection::FromHost || direction == CopyDirection::ToHost;
    const float top = host ? callTop_ + line_ : first;
    if (last <= top) { return; }
    list_->AddRectFilled({x - thick / 2, top}, {x + thick / 2, last}, colour);
  }

  void drawCall(std::size_t column, const ProgramColumn& one, float middle, float width) {
    const Palette& colours = theme_.colours();
    const float centre = std::round(callTop_ + line_ / 2 + theme_.px(1));
    const bool fine = good(column);
    const ImU32 colour = fine ? (one.kind == CallKind::Launch ? colours.text : colours.textDim) : colours.text;
    const auto launch = timeline_.launchAt(program_.run, column);
    const std::string number = launch ? grouped(*launch + 1) : std::string();
    const bool written = launch && textWidth(number) + theme_.px(3) <= width;
    const float size = std::min(line_ * 0.72F, width - 1);
    if (!fine) {
      const float half = std::min(width / 2, std::max(textWidth(number) / 2 + theme_.px(3), size * 0.7F));
      list_->AddRectFilled({middle - half, centre - line_ / 2}, {middle + half, centre + line_ / 2}, colours.fault,
                           theme_.px(3));
    }
    const ImU32 ink = fine ? colour : theme_.textOn(colours.fault);
    if (written) {
      textAt(list_, {middle - textWidth(number) / 2, centre - line_ / 2}, ink, number);
    } else if (width >= theme_.px(5)) {
      drawCallSign(list_, theme_, one.kind, directionOf(one), {middle, centre}, size, ink);
    }
  }

  /// The repeated columns, paler and narrow, and how many they are.
  void drawFold(const FoldedColumns::Item& item) {
    const Palette& colours = theme_.colours();
    const float left = x(static_cast<double>(item.place));
    const float width = pitch_ * static_cast<float>(item.width());
    const float each = width / static_cast<float>(item.period * 2);
    for (std::size_t i = 0; i < item.period * 2; ++i) {
      const std::size_t column = item.first + i % item.period;
      for (const ArrayUse& use : timeline_.uses(program_.run, column)) {
        const float from = left + static_cast<float>(i) * each;
        drawUse(use, std::round(from), std::round(from + each), 0.45F, true);
      }
    }
    const std::string more = fmt::format("+{}", grouped(item.count));
    const float wide = textWidth(more);
    if (wide > width + theme_.px(10)) { return; }
    textAt(list_, {left + (width - wide) / 2, callTop_ + theme_.px(1)}, colours.textDim, more);
  }

  /// More columns than pixels: a pixel shows what any of its first few columns do.
  void drawDense() {
    constexpr std::size_t kLooked = 8;
    const auto pixels = static_cast<int>(width_);
    std::vector<ArrayUse> all(timeline_.rows.size());
    for (int pixel = 0; pixel < pixels; ++pixel) {
      const float at = left_ + static_cast<float>(pixel);
      const auto first = static_cast<std::size_t>(std::max(0.0, placeAt(at)));
      const auto end = std::min(folded_.width(), std::max(first + 1, static_cast<std::size_t>(placeAt(at + 1))));
      if (first >= end) { break; }
      for (std::size_t row = 0; row < all.size(); ++row) { all[row] = {row, false, false}; }
      bool fine = true;
      for (std::size_t place = first; place < std::min(end, first + kLooked); ++place) {
        const std::size_t column = folded_.at(place).first;
        fine = fine && good(column);
        for (const ArrayUse& use : timeline_.uses(program_.run, column)) {
          all[use.row].reads |= use.reads;
          all[use.row].writes |= use.writes;
        }
      }
      for (const ArrayUse& use : all) {
        if (use.reads || use.writes) { drawUse(use, at, at + 1, 1, true); }
      }
      if (!fine) { list_->AddRectFilled({at, callTop_}, {at + 1, callTop_ + line_}, theme_.colours().fault); }
    }
  }

  void drawSelected() {
    if (!state_.program.column) { return; }
    const FoldedColumns::Item item = folded_.itemOf(*state_.program.column);
    const float from = std::round(x(static_cast<double>(item.place)));
    const float to = std::round(x(static_cast<double>(item.place + item.width())));
    const ImU32 active = theme_.colours().active;
    if (to - from >= theme_.px(4)) {
      outlineActive(list_, theme_, {from, callTop_ - 1}, {to, bottom_}, theme_.px(2), theme_.px(1.5F));
    } else {
      const float half = std::max(1.0F, theme_.px(1));
      const float middle = (from + to) / 2;
      list_->AddRectFilled({middle - half - 1, callTop_}, {middle + half + 1, bottom_}, theme_.colours().activeEdge);
      list_->AddRectFilled({middle - half, callTop_}, {middle + half, bottom_}, active);
    }
  }

  void drawHover() {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto item = itemAt(mouse.x);
    if (!item) { return; }
    const float from = x(static_cast<double>(item->place));
    list_->AddRectFilled({from, callTop_}, {from + pitch_ * static_cast<float>(item->width()), bottom_},
                         theme_.faded(theme_.colours().text, 0.06F));
    drawColumnTooltip(program_, theme_, *item, pitch_ < kDense);
  }

  /// Where the visible columns are among all.
  void drawScrollBar() {
    if (visible() >= places()) { return; }
    const float top = bottom_ + theme_.px(2);
    const float height = std::max(2.0F, theme_.px(3));
    const auto share = [&](double place) {
      return left_ + width_ * static_cast<float>(std::clamp(place / places(), 0.0, 1.0));
    };
    list_->AddRectFilled({left_, top}, {left_ + width_, top + height}, theme_.faded(theme_.colours().ghost, 0.3F),
                         height / 2);
    list_->AddRectFilled({share(start_), top}, {share(start_ + visible()), top + height}, theme_.colours().ghost,
                         height / 2);
  }

  AppState& state_;
  const Theme& theme_;
  const ShownProgram& program_;
  const ProgramTimeline& timeline_;
  FoldedColumns folded_;
  ImDrawList* list_;
  float line_;
  ImVec2 origin_;
  float names_ = 0, left_ = 0, width_ = 1, kernelTop_ = 0, callTop_ = 0, rowsTop_ = 0, rowHeight_ = 1, bottom_ = 0;
  std::size_t lanes_ = 1;  ///< of kernels
  double start_ = 0;       ///< place at the left edge
  float pitch_ = 1;        ///< pixels of a column
};

}  // namespace

void drawProgramTracks(AppState& state, const Theme& theme, float height) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  ProgramTracks(state, theme).draw(height);
}

ProgramTracksHeight programTracksHeight(const AppState& state, const Theme& theme) {
  const float line = theme.textPixels(TextSize::Small);
  const auto rows = static_cast<float>(std::max<std::size_t>(1, state.program.executed->timeline.rows.size()));
  const float lanes = 3 * line + theme.px(20);  // two of them for kernels, and one for calls
  return {lanes + rows * line * kLowestRow, lanes + rows * line * kTallestRow};
}

}  // namespace haloscope::ui
