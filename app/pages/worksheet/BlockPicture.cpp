#include "worksheet/BlockPicture.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "language/Text.h"
#include "recording/Cursor.h"

namespace haloscope::worksheet {

namespace {

using cells::CellGrid;
using cells::GridCell;
using experiment::Experiment;
using recording::BlockView;
using recording::Change;
using recording::Cursor;
using recording::PointView;
using recording::Recording;

constexpr std::int64_t kMostAcross = 18;  // rows and columns of a grid that is drawn as a whole
constexpr std::int64_t kCutAcross = 16;   // of a larger one
constexpr std::int64_t kMostFolded = 5;   // rows of an array with one axis
constexpr std::int64_t kMostPlanes = 3;
constexpr std::int64_t kMostCoefficients = 256;

class PictureMaker {
 public:
  PictureMaker(const Experiment& experiment, const std::vector<std::int64_t>& faulty)
      : experiment_(experiment),
        recording_(*experiment.recording),
        program_(*experiment.program),
        footprint_(experiment.footprint),
        faulty_(faulty.begin(), faulty.end()),
        cursor_(experiment.recording) {}

  BlockPicture make(std::size_t position, std::optional<std::uint32_t> thread) {
    picture_.position = position == 0 ? firstWriting() : std::min(position, cursor_.end());
    cursor_.goTo(picture_.position);
    chooseThread(thread);
    choosePlanes();
    const BlockView view = viewBlock(cursor_, footprint_, experiment_.carriers);
    for (const CellGrid& grid :
         cells::allArrays(recording_, footprint_, experiment_.carriers, experiment_.carrierPlanes)) {
      addArray(grid, cellsOf(grid, cursor_, footprint_, view));
    }
    return std::move(picture_);
  }

 private:
  [[nodiscard]] bool writesOutput(std::size_t step) const {
    return std::ranges::any_of(recording_.changesOf(step), [&](const Change& change) {
      return change.kind == Change::Kind::Global && change.id == footprint_.output;
    });
  }
  /// The position after the first step that writes outputs; the last one if none does.
  [[nodiscard]] std::size_t firstWriting() const {
    for (std::size_t step = 0; step < recording_.steps.size(); ++step) {
      if (writesOutput(step)) { return step + 1; }
    }
    return recording_.steps.size();
  }
  [[nodiscard]] const PointView* outputPoint(std::int64_t element) const {
    const auto found = std::ranges::lower_bound(footprint_.outputPoints, element, {}, &PointView::element);
    return found == footprint_.outputPoints.end() || found->element != element ? nullptr : &*found;
  }

  /// Of the outputs that the last writing step has written the second one in the first row of the middle plane: it
  /// needs halo cells and others. Or that of the given thread.
  void chooseThread(std::optional<std::uint32_t> thread) {
    std::vector<std::pair<const PointView*, std::uint32_t>> written;
    for (std::size_t step = picture_.position; step-- > 0 && written.empty();) {
      for (const Change& change : recording_.changesOf(step)) {
        if (change.kind != Change::Kind::Global || change.id != footprint_.output) { continue; }
        if (thread && change.thread != *thread) { continue; }
        if (const PointView* point = outputPoint(change.index)) { written.emplace_back(point, change.thread); }
      }
    }
    picture_.thread = thread.value_or(0);
    if (written.empty()) {
      if (!thread) { picture_.thread = recording_.threadCount() / 2; }
      return;
    }
    std::ranges::stable_sort(
        written, {}, [](const auto& one) { return std::tuple(one.first->at.z, one.first->at.y, one.first->at.x); });
    std::vector<std::int64_t> planes;
    for (const auto& [point, by] : written) {
      if (planes.empty() || planes.back() != point->at.z) { planes.push_back(point->at.z); }
    }
    const std::int64_t plane = planes[planes.size() / 2];
    const auto first = std::ranges::find_if(written, [&](const auto& one) { return one.first->at.z == plane; });
    const auto next = std::next(first);
    const bool beside = next != written.end() && next->first->at.z == plane && next->first->at.y == first->first->at.y;
    const auto& chosen = beside ? *next : *first;
    picture_.thread = chosen.second;
    picture_.output = chosen.first->element;
  }

  void choosePlanes() {
    const PointView* point = picture_.output ? outputPoint(*picture_.output) : nullptr;
    if (point == nullptr && !footprint_.outputPoints.empty()) {
      point = &footprint_.outputPoints[footprint_.outputPoints.size() / 2];
    }
    plane_ = point == nullptr ? footprint_.lowest.z : point->at.z;
    if (!picture_.output) { return; }
    // What its writer reads in this plane and beside it is the operands as far as they are drawn.
    const auto traced = experiment::traceOutput(experiment_, *picture_.output);
    if (!traced) { return; }
    for (const provenance::Operand& operand : traced->trace.operands) {
      if (operand.object == kNone) { continue; }
      operands_.insert({Change::Kind::Global, operand.object, operand.element});
      for (const provenance::Hop& hop : operand.hops) {
        if (hop.place == provenance::Hop::Place::Shared) {
          operands_.insert({Change::Kind::Shared, hop.id, hop.index});
        }
        if (hop.place == provenance::Hop::Place::Variable) {
          operands_.insert({Change::Kind::Variable, hop.id, hop.index});
        }
      }
    }
  }
  [[nodiscard]] bool drawn(std::int64_t z) const {
    return z >= plane_ - kMostPlanes / 2 && z <= plane_ + kMostPlanes / 2;
  }

  PictureCell cellOf(const CellGrid& grid, const GridCell& held) const {
    PictureCell cell;
    static_cast<GridCell&>(cell) = held;
    if (!held.known) { return cell; }
    cell.key = {grid.changeKind(), grid.id, held.index};
    cell.name = grid.nameOf(held.index, recording_.configuration.block);
    cell.type = grid.type;
    cell.carrier = grid.carrier != kNone;
    cell.output = grid.kind == CellGrid::Kind::Output;
    cell.operand = !cell.output && operands_.contains(cell.key);
    cell.faulty = cell.output && faulty_.contains(held.index);
    return cell;
  }

  void leaveOut(std::string sentence) {
    if (std::ranges::find(picture_.leftOut, sentence) == picture_.leftOut.end()) {
      picture_.leftOut.push_back(std::move(sentence));
    }
  }

  /// Arrays in which points of the grid lie are seen around the picture's plane, of others the first planes.
  void addArray(const CellGrid& grid, const std::vector<GridCell>& cells) {
    using Kind = CellGrid::Kind;
    const bool coefficients = grid.kind == Kind::Constant || grid.kind == Kind::Read;
    if (coefficients && static_cast<std::int64_t>(grid.read.size()) > kMostCoefficients) {
      return leaveOut(trf("{}: not drawn, {} elements.", grid.name, grid.read.size()));
    }
    const auto size = static_cast<std::size_t>(grid.rows * grid.columns);
    const bool input = grid.kind == Kind::Input;
    std::int64_t count = 0;
    for (std::int64_t z = 0; z < grid.planes; ++z) {
      const std::size_t begin = static_cast<std::size_t>(z) * size;
      if (begin >= cells.size()) { break; }
      const auto plane = std::span(cells).subspan(begin, std::min(size, cells.size() - begin));
      const bool placed = std::ranges::any_of(plane, &GridCell::placed);
      const bool near = std::ranges::any_of(plane, [&](const GridCell& cell) {
        return cell.placed && (grid.kind == Kind::Output ? cell.at.z == plane_ : drawn(cell.at.z));
      });
      const bool skipped = input ? !drawn(grid.low.z + z) : grid.planes > 1 && placed && !near;
      if (skipped || count >= kMostPlanes) { continue; }
      addPlane(grid, plane, z, count == 0);
      ++count;
    }
    if (count < grid.planes && grid.kind != Kind::Output) {
      leaveOut(input ? trf("{}: {} of the planes {} to {} are drawn.", grid.name, count, grid.low.z,
                           grid.low.z + grid.planes - 1)
                     : trf("{}: {} of {} planes are drawn.", grid.name, count, grid.planes));
    }
  }

  /// Cut to what has room.
  void addPlane(const CellGrid& grid, std::span<const GridCell> cells, std::int64_t z, bool first) {
    using Kind = CellGrid::Kind;
    PictureGrid plane;
    plane.group = grid.kind == Kind::Input                                   ? PictureGrid::Group::Input
                  : grid.kind == Kind::Shared || grid.kind == Kind::Register ? PictureGrid::Group::Block
                                                                             : PictureGrid::Group::Result;
    const bool several = grid.extents.size() > 2;
    plane.title = several ? fmt::format("{}[{}]", grid.name, grid.low.z + z) : grid.name;
    if (first) { plane.kind = grid.kindText(); }
    plane.place = grid.place;
    const bool folded = grid.isStrip() && grid.columns > kMostAcross;
    plane.columns = folded || grid.columns > kMostAcross ? kCutAcross : grid.columns;
    plane.rows = folded                    ? std::min((grid.columns + kCutAcross - 1) / kCutAcross, kMostFolded)
                 : grid.rows > kMostAcross ? kCutAcross
                                           : grid.rows;
    const std::int64_t perRow = folded ? kCutAcross : grid.columns;
    for (std::int64_t row = 0; row < plane.rows; ++row) {
      for (std::int64_t column = 0; column < plane.columns; ++column) {
        const auto at = static_cast<std::size_t>(row * perRow + column);
        plane.cells.push_back(at < cells.size() ? cellOf(grid, cells[at]) : PictureCell{});
      }
      const std::int64_t index = folded ? grid.low.x + row * kCutAcross : grid.low.y + row;
      if (folded || !grid.isStrip()) { plane.rowNames.push_back(fmt::format("[{}]", index)); }
    }
    // Elements that lie far apart have no places that could be counted.
    if (!grid.listed.empty()) { plane.rowNames.clear(); }
    for (std::int64_t i = 0; grid.listed.empty() && i < plane.columns; ++i) {
      plane.columnNames.push_back(folded ? fmt::format("+{}", i) : fmt::format("[{}]", grid.low.x + i));
    }
    if (folded && plane.rows * kCutAcross < grid.columns) {
      leaveOut(trf("{}: the first {} of {} elements are drawn.", grid.name, plane.rows * kCutAcross, grid.columns));
    } else if (!folded && (plane.rows < grid.rows || plane.columns < grid.columns)) {
      leaveOut(trf("{}: the first {} × {} of {} × {} cells are drawn.", grid.name, plane.rows, plane.columns, grid.rows,
                   grid.columns));
    }
    // A mark that all of them have says nothing.
    if (grid.kind == Kind::Output &&
        std::ranges::all_of(plane.cells, [](const PictureCell& cell) { return cell.changed || !cell.shown; })) {
      for (PictureCell& cell : plane.cells) { cell.changed = false; }
    }
    picture_.grids.push_back(std::move(plane));
  }

  const Experiment& experiment_;
  const Recording& recording_;
  const Program& program_;
  const recording::Footprint& footprint_;
  std::set<std::int64_t> faulty_;
  Cursor cursor_;
  BlockPicture picture_;
  std::int64_t plane_ = 0;  // in the input's points: around it the picture is drawn
  std::set<CellKey> operands_;
};

}  // namespace

BlockPicture blockPicture(const Experiment& experiment, std::size_t position, std::optional<std::uint32_t> thread,
                          const std::vector<std::int64_t>& faulty) {
  return PictureMaker(experiment, faulty).make(position, thread);
}

std::string sumText(const experiment::TracedOutput& traced) {
  if (!traced.sum.exact || traced.sum.terms.empty()) { return {}; }
  const auto valueText = [&](std::uint32_t operand) {
    const provenance::Operand& one = traced.trace.operands[operand];
    const std::string text = recording::formatValue(one.type, one.bits);
    return text.starts_with('-') ? "(" + text + ")" : text;
  };
  std::string text;
  for (const provenance::Term& term : traced.sum.terms) {
    // The 0 that a sum begins with.
    if (!term.coefficient && term.operands.size() == 1 && traced.sum.terms.size() > 1) {
      const provenance::Operand& only = traced.trace.operands[term.operands.front()];
      if (only.kind == provenance::Operand::Kind::Literal && only.bits == 0) { continue; }
    }
    if (!text.empty() || term.negative) { text += term.negative ? (text.empty() ? "−" : " − ") : " + "; }
    if (term.coefficient && term.value) {
      text += valueText(*term.coefficient) + " · " + valueText(*term.value);
    } else if (term.value) {
      text += valueText(*term.value);
    } else {
      text += recording::formatValue(traced.sum.type, term.bits);
    }
  }
  return text;
}

}  // namespace haloscope::worksheet
