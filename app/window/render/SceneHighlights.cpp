#include "render/SceneParts.h"

#include <algorithm>
#include <array>
#include <glm/geometric.hpp>
#include <set>
#include <utility>

namespace haloscope::render {

using recording::Carrier;
using recording::GridPoint;
using recording::Recording;

namespace {

constexpr float kOutlineWidth = 2.6F;
constexpr float kRayWidth = 2.0F;
constexpr float kWindowWidth = 1.6F;
constexpr float kArrowWidth = 2.6F;
constexpr float kArrowHead = 12;
constexpr int kArrowSegments = 20;
constexpr float kArcRise = 0.3F;      ///< of an arrow, by its length
constexpr float kLift = 0.03F;        ///< above a cell's top, so that the line is not half inside it
constexpr float kAccumulator = 1.6F;  ///< above the cell that values run to: where they are added up

/// A cell of the scene that the selected thread touches.
struct Touched {
  SceneSpot spot;
  GridPoint at;
  bool write = false;
  bool output = false;
  SceneColour colour = SceneColour::Interior;
};

class Highlighter {
 public:
  Highlighter(SceneModel& model, const SceneSubject& subject, const SceneLayout& layout)
      : model_(model), subject_(subject), layout_(layout), recording_(subject.cursor.recording()) {}

  void add() {
    addFaulty();
    if (const auto home = homeOutput()) outline(*home, SceneColour::Text, 1.4F, 0.9F);
    if (subject_.cursor.current() == nullptr) return;
    addMoves();
    if (layout_.hasWindows()) addWindow();
    addTouched();
    if (!model_.accumulator && subject_.origins == nullptr) addKept();
  }

 private:
  [[nodiscard]] bool isDrawn(std::uint32_t carrier) const {
    const auto& drawn = layout_.carriers();
    return std::find(drawn.begin(), drawn.end(), carrier) != drawn.end();
  }

  /// Whether an input element has a cell of its own, in global memory.
  [[nodiscard]] bool isShown(std::int64_t element) const {
    if (layout_.arrangement() == SceneArrangement::Points) return true;
    return layout_.arrangement() == SceneArrangement::Planes || subject_.facts.isDirect(element);
  }

  [[nodiscard]] bool isActive() const {
    const auto& state = recording_.warpState(subject_.cursor.currentStep(), subject_.thread / kWarpSize);
    return (state.active >> (subject_.thread % kWarpSize) & 1U) != 0;
  }

  /// The output cells that faults reach, once they are written.
  void addFaulty() {
    for (const std::int64_t element : subject_.faulty) {
      const auto& outputs = subject_.view.outputs;
      const auto found = std::ranges::lower_bound(outputs, element, {}, &recording::PointView::element);
      if (found == outputs.end() || found->element != element || found->role != recording::Role::Output) continue;
      const GridPoint at = outputPoint(subject_.footprint, element);
      const std::size_t first = model_.lines.size();
      outline({layout_.outputSpot(at.z), at, true, true}, SceneColour::Fault, kOutlineWidth, 1);
      for (std::size_t i = first; i < model_.lines.size(); ++i) { model_.lines[i].late = found->active; }
    }
  }

  /// The selected thread's output cell: of several (a plane loop), the one in the current plane.
  [[nodiscard]] std::optional<Touched> homeOutput() const {
    if (subject_.thread >= subject_.facts.homes.size()) return std::nullopt;
    const ThreadHome& home = subject_.facts.homes[subject_.thread];
    if (!home.output) return std::nullopt;
    GridPoint at = *home.output;
    if (layout_.arrangement() == SceneArrangement::Planes) at.z = layout_.focus();
    const std::int64_t element = subject_.footprint.element(at);
    if (element < 0 || !subject_.footprint.computes(element)) return std::nullopt;
    return Touched{layout_.outputSpot(at.z), at, true, true};
  }

  /// All that the thread reads and writes in the current step, as cells of the scene.
  [[nodiscard]] std::vector<Touched> touched() const {
    std::vector<Touched> cells;
    const std::size_t step = subject_.cursor.currentStep();
    for (const ThreadAccess& access : accessesOf(recording_, step, subject_.thread)) { addAccess(cells, access); }
    for (std::uint32_t c = 0; c < subject_.view.carriers.size(); ++c) {
      if (subject_.carriers[c].kind != Carrier::Kind::Register || !isDrawn(c)) continue;
      const auto& carrierCells = subject_.view.carriers[c].cells;
      if (subject_.thread >= carrierCells.size()) continue;
      const auto& cell = carrierCells[subject_.thread];
      const auto at = layout_.pointOf(c, cell);
      if (!at) continue;
      const SceneSpot spot = layout_.carrierSpot(c, cell);
      const SceneColour colour = colourOf(cell.role, subject_.facts.carriers[c].place);
      if (cell.changed) cells.push_back({spot, *at, true, false, colour});
      if (cell.read) cells.push_back({spot, *at, false, false, colour});
    }
    return cells;
  }

  void addAccess(std::vector<Touched>& cells, const ThreadAccess& access) const {
    if (access.space == MemorySpace::Shared) {
      for (const std::uint32_t c : layout_.carriers()) {
        const Carrier& carrier = subject_.carriers[c];
        const auto& carrierCells = subject_.view.carriers[c].cells;
        if (carrier.kind != Carrier::Kind::SharedArray || carrier.id != access.object) continue;
        if (access.element < 0 || static_cast<std::size_t>(access.element) >= carrierCells.size()) continue;
        const auto& cell = carrierCells[static_cast<std::size_t>(access.element)];
        const SceneColour colour = colourOf(cell.role, subject_.facts.carriers[c].place);
        const auto at = layout_.pointOf(c, cell);
        if (at) cells.push_back({layout_.carrierSpot(c, cell), *at, access.store, false, colour});
      }
      return;
    }
    if (access.space != MemorySpace::Global) return;
    if (access.store && access.object == subject_.footprint.output) {
      const GridPoint at = outputPoint(subject_.footprint, access.element);
      cells.push_back({layout_.outputSpot(at.z), at, true, true, SceneColour::Output});
    } else if (!access.store && access.object == subject_.footprint.input && isShown(access.element)) {
      const GridPoint at = subject_.footprint.point(access.element);
      const bool inside = subject_.footprint.computes(access.element);
      cells.push_back({layout_.inputSpot(at.z), at, false, false, inside ? SceneColour::Interior : SceneColour::Halo});
    }
  }

  [[nodiscard]] glm::vec3 top(const Touched& cell) const {
    return layout_.place(layout_.onTop(cell.spot, kLift), cell.at) + 0.5F * layout_.cell(cell.spot);
  }
  /// Where a ray to the output begins, or one from the input ends: between the two rows of a strip.
  [[nodiscard]] glm::vec3 rayEnd(const Touched& cell) const {
    if (!layout_.isStrip()) return top(cell);
    const float side = cell.output ? -0.5F : 0.5F;
    return top(cell) + glm::vec3(0, 0, side * layout_.cell().z);
  }

  /// A ray from one row of a strip to another would cross what lies between.
  [[nodiscard]] bool sameRow(const Touched& a, const Touched& b) const {
    return layout_.fold()(a.at).y == layout_.fold()(b.at).y;
  }

  void outline(const Touched& cell, SceneColour colour, float width, float opacity) {
    const glm::vec3 corner = layout_.place(layout_.onTop(cell.spot, kLift), cell.at);
    const glm::vec3 size = layout_.cell(cell.spot);
    const std::array<glm::vec3, 4> corners = {corner, corner + glm::vec3(size.x, 0, 0), corner + size,
                                              corner + glm::vec3(0, 0, size.z)};
    for (std::size_t i = 0; i < corners.size(); ++i) {
      model_.lines.push_back({corners[i], corners[(i + 1) % 4], width, width, colour, opacity, true});
    }
  }

  void addTouched() {
    if (!isActive()) return;
    const std::vector<Touched> cells = touched();
    std::vector<Touched> reads;
    std::copy_if(cells.begin(), cells.end(), std::back_inserter(reads), [](const Touched& c) { return !c.write; });
    const auto written =
        std::find_if(cells.begin(), cells.end(), [](const Touched& cell) { return cell.write && cell.output; });
    for (const Touched& cell : cells) { outline(cell, SceneColour::Active, kOutlineWidth, 1); }
    if (subject_.origins != nullptr) return;  // their arrows say more
    const std::optional<Sum> sum = sumOf(cells);
    if (reads.empty()) {
      if (sum && sum->cell) accumulate(*sum, {}, above(*sum->cell));
      return;
    }

    // Rays run to where the values go: to the copy that is made of them, to the output cell of a flat block, else to
    // the middle of the star.
    std::optional<Touched> goal;
    const auto copy =
        std::find_if(cells.begin(), cells.end(), [](const Touched& cell) { return cell.write && !cell.output; });
    const bool loads =
        layout_.arrangement() == SceneArrangement::Planes &&
        std::ranges::all_of(reads, [&](const Touched& read) { return read.spot == layout_.inputSpot(read.at.z); });
    if (loads && copy != cells.end()) {
      goal = *copy;
    } else if (layout_.hasWindows()) {
      goal = written != cells.end() ? *written : homeOutput();
    } else if (written != cells.end()) {
      goal = middle(reads, written->at);
      if (!goal && sum) goal = *written;
    } else if (sum) {
      goal = sum->cell ? sum->cell : homeOutput();
    }
    if (!goal) return;
    const glm::vec3 end = sum ? above(*goal) : rayEnd(*goal);
    if (sum) accumulate(*sum, reads, end);
    if (written != cells.end() && !goal->output) deliver(end, top(*written));
    for (const Touched& read : reads) {
      const glm::vec3 from = rayEnd(read);
      if (layout_.isStrip()) {
        if (sameRow(read, *goal)) deliver(from, rayEnd(*goal));
      } else if (from != end)
        model_.lines.push_back({from, end, kRayWidth, kRayWidth, SceneColour::Active, 0.85F, true});
    }
  }

  /// What arithmetic on floating-point numbers made for the selected thread in this step, or an output that it takes
  /// from a variable.
  struct Sum {
    std::string name, before, after;
    std::optional<Touched> cell;  ///< that it is written to
  };

  [[nodiscard]] std::optional<Sum> sumOf(const std::vector<Touched>& cells) const {
    using recording::Change;
    using recording::Origin;
    const std::size_t step = subject_.cursor.currentStep();
    const StatementId statement = recording_.steps[step].statement;
    const Program& program = *recording_.program;
    const bool computes = subject_.facts.arithmetic[statement] != 0;
    std::optional<Sum> sum;
    bool accumulates = false;
    for (const Change& change : recording_.changesOf(step)) {
      if (change.thread != subject_.thread) continue;
      const bool variable = change.kind == Change::Kind::Variable;
      if (change.kind == Change::Kind::Local) continue;
      const ValueType type =
          variable ? program.registers[program.variables[change.id].reg].type : program.objects[change.id].element;
      if (!isFloating(type) || change.originAfter.kind != Origin::Kind::Computed) continue;
      if (variable ? !computes || accumulates : change.kind != Change::Kind::Global && !computes) continue;
      const std::string after = recording::formatValue(type, change.after);
      if (!variable) {
        const auto written = std::ranges::find_if(cells, &Touched::write);
        if (written == cells.end()) continue;
        if (sum) {  // the variable's new value is written by the same statement
          sum->cell = *written;
        } else {
          const bool kept = change.copiedFrom == Change::CopiedFrom::Variable;
          sum = Sum{kept ? program.variables[change.copiedId].name
                         : recording::formatElement(program.objects[change.id].name, recording_.extents[change.id],
                                                    change.index),
                    computes ? "" : after, after, *written};
        }
        continue;
      }
      accumulates = readsVariable(program, statement, change.id) && change.originBefore.kind != Origin::Kind::Unwritten;
      const auto cell = sum ? sum->cell : std::nullopt;
      sum = Sum{program.variables[change.id].name, accumulates ? recording::formatValue(type, change.before) : "",
                after, cell};
    }
    return sum;
  }

  /// What the thread has added up so far, until it has written its output.
  void addKept() {
    const auto home = homeOutput();
    if (!home) return;
    const recording::Cell* kept = nullptr;
    VariableId of = kNone;
    for (const VariableId variable : subject_.facts.sums) {
      const recording::Cell& cell = subject_.cursor.variable(variable)[subject_.thread];
      const Variable& named = recording_.program->variables[variable];
      if (!recording::inScope(*recording_.program, named, subject_.cursor.current())) continue;
      if (cell.writtenAt == kNone || (kept != nullptr && kept->writtenAt >= cell.writtenAt)) continue;
      kept = &cell;
      of = variable;
    }
    if (kept == nullptr || std::ranges::any_of(subject_.view.outputs, [&](const recording::PointView& point) {
          return point.thread == subject_.thread && point.step != kNone && point.step >= kept->writtenAt;
        })) {
      return;
    }
    const Program& program = *recording_.program;
    const std::string value = recording::formatValue(program.registers[program.variables[of].reg].type, kept->bits);
    accumulate({program.variables[of].name, value, value, std::nullopt}, {}, above(*home));
  }

  [[nodiscard]] glm::vec3 above(const Touched& cell) const {
    if (layout_.isStrip()) return belowStrip(cell);
    return top(cell) + glm::vec3(0, kAccumulator, 0);
  }

  /// Of a strip's output, where its value does not stand.
  [[nodiscard]] glm::vec3 belowStrip(const Touched& cell) const {
    return top(cell) + glm::vec3(0, 0, 0.5F * layout_.cell().z);
  }

  void accumulate(const Sum& sum, const std::vector<Touched>& reads, const glm::vec3& at) {
    SceneAccumulator result{.at = at, .name = sum.name, .before = sum.before, .after = sum.after};
    for (const Touched& read : reads) { result.reads.push_back({rayEnd(read), read.colour}); }
    if (sum.cell) result.cell = layout_.isStrip() ? belowStrip(*sum.cell) : top(*sum.cell);
    model_.accumulator = std::move(result);
  }

  /// A thin arrow to where a result goes, or a tap's value.
  void deliver(const glm::vec3& from, const glm::vec3& to) {
    const glm::vec3 neck = to + (from - to) * (layout_.isStrip() ? 0.25F : 0.06F);
    model_.lines.push_back({from, neck, kWindowWidth, kWindowWidth, SceneColour::Active, 0.6F, true});
    model_.lines.push_back({neck, to, kArrowHead * 0.7F, 0, SceneColour::Active, 1, true});
  }

  /// The read cell at the point that is written; of copies in several carriers the highest.
  [[nodiscard]] static std::optional<Touched> middle(const std::vector<Touched>& reads, const GridPoint& at) {
    std::optional<Touched> best;
    for (const Touched& read : reads) {
      if (read.at == at && (!best || read.spot.origin.y > best->spot.origin.y)) best = read;
    }
    return best;
  }

  /// The border of what the thread reads of the input in this barrier interval: its filter window.
  void addWindow() {
    struct Window {
      SceneSpot spot;
      std::set<std::pair<std::int64_t, std::int64_t>> cells;  ///< y, x
    };
    std::vector<Window> windows;  ///< one for each place that cells are read from: a halo may stay in global memory
    const recording::Interval& interval = recording_.intervals[subject_.cursor.current()->interval];
    const auto home = homeOutput();
    for (std::size_t step = interval.firstStep; step < interval.endStep; ++step) {
      if (subject_.facts.arithmetic[recording_.steps[step].statement] == 0) continue;
      std::vector<Touched> cells;
      for (const ThreadAccess& access : accessesOf(recording_, step, subject_.thread)) {
        if (!access.store) addAccess(cells, access);
      }
      for (const Touched& cell : cells) {
        const GridPoint at = layout_.fold()(cell.at);
        auto window = std::ranges::find(windows, cell.spot, &Window::spot);
        if (window == windows.end()) { window = windows.insert(windows.end(), {cell.spot, {}}); }
        const bool first = window->cells.emplace(at.y, at.x).second;
        if (!first || !layout_.isStrip() || !home || !sameRow(cell, *home)) continue;
        const glm::vec3 from = rayEnd(cell);
        model_.lines.push_back({from, rayEnd(*home), kWindowWidth, kWindowWidth, SceneColour::Text, 0.4F, true});
      }
    }
    const auto line = [&](const glm::vec3& from, const glm::vec3& to) {
      model_.lines.push_back({from, to, kWindowWidth, kWindowWidth, SceneColour::Active, 0.8F, true});
    };
    const bool rowsTouch = !layout_.isStrip();
    for (const auto& [spot, cells] : windows) {
      const auto corner = [&, at = spot](std::int64_t y, std::int64_t x) {
        return layout_.placeFolded(layout_.onTop(at, kLift), {0, y, x});
      };
      const glm::vec3 down{0, 0, layout_.cell(spot).z};
      for (const auto& [y, x] : cells) {
        if (!rowsTouch || !cells.contains({y - 1, x})) line(corner(y, x), corner(y, x + 1));
        if (!rowsTouch || !cells.contains({y + 1, x})) line(corner(y, x) + down, corner(y, x + 1) + down);
        if (!cells.contains({y, x - 1})) line(corner(y, x), corner(y, x) + down);
        if (!cells.contains({y, x + 1})) line(corner(y, x + 1), corner(y, x + 1) + down);
      }
    }
  }

  /// Arcs from the plane that was copied to the one that took its place.
  void addMoves() {
    for (std::uint32_t c = 0; c < subject_.view.carriers.size(); ++c) {
      const std::uint32_t from = subject_.view.carriers[c].movedFrom;
      if (from == kNone || !isDrawn(from) || !isDrawn(c)) continue;
      model_.moves.push_back({from, c});
      if (layout_.slotsOf(from) > 1 || layout_.slotsOf(c) > 1) continue;
      if (layout_.arrangement() == SceneArrangement::Planes) arrow(from, c);
    }
  }

  void arrow(std::uint32_t from, std::uint32_t to) {
    const glm::vec3 up{0, layout_.thickness() + kLift, 0};
    const glm::vec3 start = layout_.slotSpot(from).origin + up, end = layout_.slotSpot(to).origin + up;
    const float rise = kArcRise * glm::length(end - start);
    const auto at = [&](float t) { return start + (end - start) * t + glm::vec3(0, 4 * rise * t * (1 - t), 0); };
    const float neck = 0.9F;  // the head is straight
    glm::vec3 last = start;
    for (int i = 1; i <= kArrowSegments; ++i) {
      const glm::vec3 next = at(neck * static_cast<float>(i) / kArrowSegments);
      model_.lines.push_back({last, next, kArrowWidth, kArrowWidth, SceneColour::Active, 1, true});
      last = next;
    }
    model_.lines.push_back({last, end, kArrowHead, 0, SceneColour::Active, 1, true});
  }

  SceneModel& model_;
  const SceneSubject& subject_;
  const SceneLayout& layout_;
  const Recording& recording_;
};

}  // namespace

void addHighlights(SceneModel& model, const SceneSubject& subject, const SceneLayout& layout) {
  Highlighter(model, subject, layout).add();
}

}  // namespace haloscope::render
