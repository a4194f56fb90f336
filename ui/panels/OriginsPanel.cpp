#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "actions/Origins.h"
#include "experiment/TraceWords.h"
#include "language/Text.h"
#include "state/Places.h"
#include "ui/widgets/Panel.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

using experiment::TraceWords;
using provenance::Hop;
using provenance::Operand;
using provenance::OperandPlace;
using provenance::OperandRole;

constexpr int kDigits = 4, kFewestDigits = 2;  ///< significant digits of the numbers in the sum
constexpr float kIndent = 16;                  ///< pixels, of nested lines and of text after a swatch

ImU32 colourOf(const Theme& theme, OperandRole role) {
  if (provenance::isFault(role)) { return theme.colours().fault; }
  switch (role) {
    case OperandRole::Interior:
      return theme.colours().interior;
    case OperandRole::Halo:
      return theme.colours().halo;
    case OperandRole::Ghost:
      return theme.colours().ghost;
    default:
      return theme.colours().textDim;
  }
}

/// Draws one frame of the panel for a given trace.
class OriginsPanel {
 public:
  OriginsPanel(AppState& state, const Theme& theme, const experiment::TracedOutput& traced)
      : state_(state),
        theme_(theme),
        traced_(traced),
        trace_(traced.trace),
        words_(state.cursor.recording(), state.experiment->footprint) {}

  void draw() {
    drawOutput();
    const float total = 2 * ImGui::GetTextLineHeightWithSpacing() + theme_.px(2);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(theme_.px(4), theme_.px(2)));
    if (ImGui::BeginChild("operands", {0, -total}, ImGuiChildFlags_NavFlattened)) {
      moved_ = storedChanged("chosen", state_.origins.operand ? *state_.origins.operand + 1 : 0);
      const std::vector<OriginRow> rows = originRows(traced_);
      digits_ = digitsFor(rows);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        ImGui::PushID(static_cast<int>(i));
        drawRow(rows[i]);
        ImGui::PopID();
      }
    }
    ImGui::EndChild();
    ImGui::PopStyleVar(2);
    drawTotal();
    drawLegend();
  }

 private:
  [[nodiscard]] ValueType outputType() const { return state_.experiment->program->objects[trace_.object].element; }

  void drawOutput() {
    label(
        theme_, theme_.colours().text,
        fmt::format("{} = {}", words_.element(trace_.object, trace_.element), words_.value(outputType(), trace_.bits)),
        Face::Mono);
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    ImGui::PushID("output");
    link(trf("written by {} · {}", threadText(trace_.thread, state_.experiment->configuration.block), trace_.step + 1),
         trace_.step);
    ImGui::PopID();
    ImGui::Dummy({0, theme_.px(1)});
  }

  /// A link that moves the cursor to `step`.
  void link(const std::string& text, std::uint32_t step) {
    const float width = textWidth(text);
    if (width > ImGui::GetContentRegionAvail().x) { ImGui::NewLine(); }
    const bool clicked =
        ImGui::InvisibleButton("link", {width, ImGui::GetTextLineHeight()}, ImGuiButtonFlags_EnableNav);
    const bool asked = lastItemAsked();
    textAt(ImGui::GetWindowDrawList(), ImGui::GetItemRectMin(), asked ? theme_.colours().text : theme_.colours().accent,
           text);
    if (asked) {
      const Tooltip tip(theme_);
      tip.note(trf("go to {}", words_.when(step)), theme_.colours().text);
    }
    if (clicked) { goToOrigin(state_, step); }
  }

  /// "c[1] × in[21][21][20]".
  [[nodiscard]] std::string nameOf(const OriginRow& row) const {
    const auto of = [&](std::uint32_t operand) {
      return words_.operand(trace_.operands[operand], traced_.places[operand]);
    };
    std::string name = row.coefficient ? of(*row.coefficient) + " × " : "";
    return name + (row.operand ? of(*row.operand) : "(…)");
  }

  /// "0.1365 × 0.7335 = 0.1001"; without `digits` only the product.
  [[nodiscard]] std::string numbersOf(const OriginRow& row, std::optional<int> digits) const {
    const auto of = [&](std::uint32_t operand) {
      return words_.value(trace_.operands[operand].type, trace_.operands[operand].bits, digits.value_or(kDigits));
    };
    if (row.nested) { return "= " + of(*row.operand); }
    const provenance::Term& term = traced_.sum.terms[row.term];
    const std::string sum = fmt::format("= {}{}", term.negative ? "−" : "",
                                        words_.value(traced_.sum.type, term.bits, digits.value_or(kDigits)));
    if (!digits || !row.coefficient || !row.operand) { return sum; }
    return fmt::format("{} × {} {}", of(*row.coefficient), of(*row.operand), sum);
  }

  /// The most digits with which the factors of all rows fit next to the names; none if they do not fit.
  [[nodiscard]] std::optional<int> digitsFor(const std::vector<OriginRow>& rows) const {
    const FontScope font(theme_, Face::Mono, TextSize::Small);
    const float width = ImGui::GetContentRegionAvail().x - theme_.px(kIndent + 10);
    for (int digits = kDigits; digits >= kFewestDigits; --digits) {
      const bool fits = std::ranges::all_of(rows, [&](const OriginRow& row) {
        return textWidth(nameOf(row)) + textWidth(numbersOf(row, digits)) <= width;
      });
      if (fits) { return digits; }
    }
    return std::nullopt;
  }

  void drawRow(const OriginRow& row) {
    const float indent = row.nested ? theme_.px(kIndent) : 0;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const bool chosen = row.operand && state_.origins.operand == row.operand;
    ImDrawList* list = ImGui::GetWindowDrawList();
    bool asked = false;
    {
      const FontScope font(theme_, Face::Mono, TextSize::Small);
      const float height = ImGui::GetTextLineHeight() + theme_.px(1);
      const bool clicked = ImGui::InvisibleButton("row", {width, height}, ImGuiButtonFlags_EnableNav);
      if (clicked && row.operand) { chooseOperand(state_, *row.operand); }
      asked = lastItemAsked();
      if (chosen && moved_ && !ImGui::IsItemVisible()) { ImGui::SetScrollHereY(); }
      if (chosen || asked) {
        list->AddRectFilled(at, {at.x + width, at.y + height},
                            theme_.faded(theme_.colours().accent, chosen ? 0.28F : 0.14F), theme_.px(3));
      }
      const float text = at.x + indent + theme_.px(kIndent);
      if (row.operand) {
        swatch(list, theme_, {at.x + indent, at.y + theme_.px(2)}, theme_.px(9),
               colourOf(theme_, traced_.places[*row.operand].role), Swatch::Filled);
      }
      const std::string name = nameOf(row);
      const std::string numbers = numbersOf(row, digits_);
      const float numbersAt = at.x + width - textWidth(numbers) - theme_.px(2);
      clippedTextAt(list, {text, at.y}, numbersAt - text - theme_.px(4), theme_.colours().text, name);
      textAt(list, {numbersAt, at.y}, row.nested ? theme_.colours().textDim : theme_.colours().text, numbers);
    }
    if (asked) { answer(row); }
    if (row.operand) { drawWay(*row.operand, indent + theme_.px(kIndent)); }
  }

  /// The memories that a value passed through, and what went wrong.
  void drawWay(std::uint32_t index, float indent) {
    const Operand& operand = trace_.operands[index];
    const OperandPlace& place = traced_.places[index];
    if (operand.kind == Operand::Kind::Literal && place.role != OperandRole::Ghost) { return; }
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    ImGui::Indent(indent);
    ImGui::PushID("loaded");
    link(trf("by {} · {}", threadText(operand.loadedBy, state_.experiment->configuration.block), operand.loadedAt + 1),
         operand.loadedAt);
    ImGui::PopID();
    std::uint32_t before = operand.loadedAt;
    const auto next = [&](int id, const std::string& what, std::uint32_t step) {
      ImGui::PushID(id);
      ImGui::SameLine(0, theme_.px(5));
      // The step is omitted if it equals the one before.
      link("→ " + what + (step != before ? fmt::format(" · {}", step + 1) : ""), step);
      ImGui::PopID();
      before = step;
    };
    for (std::size_t i = 0; i < operand.hops.size(); ++i) {
      next(static_cast<int>(i), words_.place(operand.hops[i]), operand.hops[i].step);
    }
    if (operand.usedAt != operand.loadedAt) { next(-1, tr("used"), operand.usedAt); }
    if (const std::string fault = words_.fault(operand, place); !fault.empty()) {
      ImGui::PushStyleColor(ImGuiCol_Text, theme_.colours().fault);
      ImGui::TextWrapped("%s", fault.c_str());
      ImGui::PopStyleColor();
    }
    ImGui::Unindent(indent);
  }

  /// A tooltip with exact values and the whole path; the scene highlights the point.
  void answer(const OriginRow& row) {
    const provenance::Term& term = traced_.sum.terms[row.term];
    const Tooltip tip(theme_);
    tip.title(nameOf(row));
    if (row.coefficient) {
      const Operand& coefficient = trace_.operands[*row.coefficient];
      tip.row(tr("coefficient"), recording::formatExact(coefficient.type, coefficient.bits));
    }
    if (row.operand) {
      const Operand& operand = trace_.operands[*row.operand];
      const OperandPlace& place = traced_.places[*row.operand];
      tip.row(tr("value"), recording::formatExact(operand.type, operand.bits));
      if (!row.nested) { tip.row(tr("adds"), signedText(term)); }
      tip.row(tr("role"), tr(provenance::name(place.role)), colourOf(theme_, place.role));
      if (place.at) {
        tip.row(tr("grid point"), pointText(*place.at, state_.experiment->footprint.inputExtents.size()));
        state_.selection.hoveredPoint = place.at;
      }
      const bool number = operand.kind == Operand::Kind::Literal;
      if (!number) { state_.selection.hoveredThread = operand.loadedBy; }
      tip.row(number ? tr("first held by") : tr("loaded by"),
              threadText(operand.loadedBy, state_.experiment->configuration.block));
      tip.row("", words_.when(operand.loadedAt));
      for (const Hop& hop : operand.hops) { tip.row("→ " + words_.place(hop), words_.when(hop.step)); }
      tip.row(tr("used"), words_.when(operand.usedAt));
    } else {
      tip.row(tr("adds"), signedText(term));
    }
  }

  [[nodiscard]] std::string signedText(const provenance::Term& term) const {
    return (term.negative ? "−" : "") + recording::formatExact(traced_.sum.type, term.bits);
  }

  void drawTotal() {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddLine(at, {at.x + width, at.y}, theme_.faded(theme_.colours().textDim, 0.5F));
    const std::size_t count = traced_.sum.terms.size();
    {
      const FontScope font(theme_, Face::Sans, TextSize::Small);
      const char* verdict = traced_.sum.exact ? tr(", bit-identical to the output") : "";
      textAt(list, {at.x, at.y + theme_.px(2)}, theme_.colours().textDim,
             count == 1 ? tr("one term") : trf("sum of {} terms{}", count, verdict));
    }
    const FontScope font(theme_, Face::Mono, TextSize::Small);
    const std::string total = "= " + words_.value(outputType(), trace_.bits);
    textAt(list, {at.x + width - textWidth(total) - theme_.px(2), at.y + theme_.px(2)}, theme_.colours().text, total);
    ImGui::Dummy({0, ImGui::GetTextLineHeight() + theme_.px(2)});
  }

  void drawLegend() const {
    std::vector<LegendEntry> entries;
    const auto add = [&](ImU32 colour, const char* word, auto&& wanted) {
      const bool any =
          std::ranges::any_of(traced_.places, [&](const OperandPlace& place) { return wanted(place.role); });
      if (any) { entries.push_back({colour, word}); }
    };
    for (const OperandRole role : {OperandRole::Interior, OperandRole::Halo, OperandRole::Ghost}) {
      add(colourOf(theme_, role), tr(provenance::name(role)), [&](OperandRole other) { return other == role; });
    }
    add(theme_.colours().fault, tr("wrong"), [](OperandRole role) { return provenance::isFault(role); });
    legend(theme_, entries);
  }

  AppState& state_;
  const Theme& theme_;
  const experiment::TracedOutput& traced_;
  const provenance::OutputTrace& trace_;
  TraceWords words_;
  std::optional<int> digits_;  ///< of factors next to their names
  bool moved_ = false;         ///< another operand has been chosen since the last frame
};

void drawOrigins(AppState& state, const Theme& theme, const PanelTools&) {
  panelHeading(theme, tr("Where from?"), tr("numbers are steps, ↑ ↓ select"));
  if (const experiment::TracedOutput* traced = shownOrigins(state)) {
    OriginsPanel(state, theme, *traced).draw();
    return;
  }
  const bool current = state.experiment != nullptr && state.origins.experiment == state.experiment;
  if (!state.origins.wanted) {
    label(theme, theme.colours().textDim, tr("The selected thread writes no output."));
    label(theme, theme.colours().textDim, tr("Click an output cell in the block."));
  } else if (!current || state.origins.element != *state.origins.wanted) {
    label(theme, theme.colours().textDim, tr("tracing the value …"));
  } else {
    label(theme, theme.colours().textDim, tr("This value could not be traced."));
  }
}

// Elsewhere the arrows move ImGui's focus.
bool originsInFront(const AppState& state) { return state.view.tabs.inFront(Tab::Origins); }
void choosePreviousOperand(AppState& state) { chooseNeighbourOperand(state, -1); }
void chooseNextOperand(AppState& state) { chooseNeighbourOperand(state, 1); }

constexpr std::array kOriginsKeys = {
    Shortcut{.act = toggleTab<Tab::Origins, Tab::Memory>,
             .group = KeyGroup::Walk,
             .text = trMark("where the thread's output comes from"),
             .keys = ImGuiKey_W},
    Shortcut{.act = choosePreviousOperand,
             .group = KeyGroup::Walk,
             .text = trMark("there: previous operand"),
             .keys = ImGuiKey_UpArrow,
             .repeats = true,
             .when = originsInFront},
    Shortcut{.act = chooseNextOperand,
             .group = KeyGroup::Walk,
             .text = trMark("there: next operand"),
             .keys = ImGuiKey_DownArrow,
             .repeats = true,
             .when = originsInFront},
};

}  // namespace

extern const Panel kOriginsPanel = {
    .tab = Tab::Origins, .title = trMark("Where from?"), .draw = drawOrigins, .shortcuts = kOriginsKeys};

}  // namespace haloscope::ui
