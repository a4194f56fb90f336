#include "worksheet/BlockPicture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "language/Text.h"
#include "recording/Cursor.h"

namespace haloscope::worksheet {

namespace {

using experiment::Experiment;
using recording::AccessGroup;
using recording::BlockView;
using recording::Carrier;
using recording::CarrierCell;
using recording::Change;
using recording::Cursor;
using recording::GridPoint;
using recording::PointView;
using recording::Recording;
using recording::Role;

constexpr std::int64_t kMostAcross = 18;  // rows and columns of a grid that is drawn as a whole
constexpr std::int64_t kCutAcross = 16;   // of a larger one
constexpr std::int64_t kMostFolded = 5;   // rows of an array with one axis
constexpr std::int64_t kMostPlanes = 3;
constexpr std::int64_t kMostCoefficients = 256;

struct Box {
  GridPoint low{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::max(),
                std::numeric_limits<std::int64_t>::max()};
  GridPoint high{-1, -1, -1};

  void add(const GridPoint& at) {
    low = {std::min(low.z, at.z), std::min(low.y, at.y), std::min(low.x, at.x)};
    high = {std::max(high.z, at.z), std::max(high.y, at.y), std::max(high.x, at.x)};
  }
  [[nodiscard]] bool empty() const { return high.x < low.x; }
};

/// The last three axes of an array, those before them multiplied into the first.
std::array<std::int64_t, 3> shapeOf(const std::vector<std::int64_t>& extents) {
  std::array<std::int64_t, 3> shape{1, 1, 1};
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const std::size_t fromEnd = extents.size() - 1 - i;
    if (fromEnd < 2) {
      shape[2 - fromEnd] = extents[i];
    } else {
      shape[0] *= extents[i];
    }
  }
  return shape;
}

GridPoint pointOf(std::int64_t element, const std::array<std::int64_t, 3>& shape) {
  const std::int64_t width = std::max<std::int64_t>(1, shape[2]), height = std::max<std::int64_t>(1, shape[1]);
  return {element / width / height, element / width % height, element % width};
}

/// What the block reads of a global array, each element with the value that it read first.
std::map<std::int64_t, std::uint64_t> readElements(const Recording& recording, ObjectId object) {
  std::map<std::int64_t, std::uint64_t> read;
  for (const AccessGroup& group : recording.accesses) {
    if (group.store || group.object != object) { continue; }
    std::size_t n = group.first;
    for (LaneMask left = group.lanes; left != 0; left &= left - 1, ++n) {
      read.try_emplace(recording.elements[n], recording.values[n]);
    }
  }
  return read;
}

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
    addGlobals(true);
    group_ = PictureGrid::Group::Block;
    for (const recording::CarrierView& carrier : view.carriers) { addCarrier(carrier); }
    addOtherShared();
    group_ = PictureGrid::Group::Result;
    addGlobals(false);
    addOutputs(view);
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

  PictureCell cellOf(const CellKey& key, std::string name, ValueType type) const {
    PictureCell cell;
    cell.key = key;
    cell.name = std::move(name);
    cell.type = type;
    cell.operand = operands_.contains(key);
    return cell;
  }

  /// One plane, its cells from `at(row, column)`; cut to what has room. An array of one axis is folded.
  template <typename At>
  void addGrid(std::string title, std::string kind, std::int64_t rows, std::int64_t columns, std::int64_t firstRow,
               std::int64_t firstColumn, bool oneAxis, const At& at) {
    PictureGrid grid;
    grid.title = std::move(title);
    grid.kind = std::move(kind);
    grid.array = array_;
    const std::string name = grid.title.substr(0, grid.title.find('['));
    grid.group = group_;
    if (oneAxis && columns > kMostAcross) {
      const std::int64_t drawnCells = std::min(columns, kCutAcross * kMostFolded);
      grid.columns = kCutAcross;
      grid.rows = (drawnCells + kCutAcross - 1) / kCutAcross;
      for (std::int64_t i = 0; i < grid.rows * kCutAcross; ++i) {
        grid.cells.push_back(i < drawnCells ? at(0, i) : PictureCell{});
      }
      for (std::int64_t row = 0; row < grid.rows; ++row) {
        grid.rowNames.push_back(fmt::format("[{}]", firstColumn + row * kCutAcross));
      }
      for (std::int64_t i = 0; i < kCutAcross; ++i) { grid.columnNames.push_back(fmt::format("+{}", i)); }
      if (drawnCells < columns) {
        leaveOut(trf("{}: the first {} of {} elements are drawn.", name, drawnCells, columns));
      }
    } else {
      grid.rows = rows > kMostAcross ? kCutAcross : rows;
      grid.columns = columns > kMostAcross ? kCutAcross : columns;
      for (std::int64_t row = 0; row < grid.rows; ++row) {
        for (std::int64_t column = 0; column < grid.columns; ++column) { grid.cells.push_back(at(row, column)); }
        if (!oneAxis) { grid.rowNames.push_back(fmt::format("[{}]", firstRow + row)); }
      }
      for (std::int64_t i = 0; i < grid.columns; ++i) {
        grid.columnNames.push_back(fmt::format("[{}]", firstColumn + i));
      }
      if (grid.rows < rows || grid.columns < columns) {
        leaveOut(
            trf("{}: the first {} × {} of {} × {} cells are drawn.", name, grid.rows, grid.columns, rows, columns));
      }
    }
    picture_.grids.push_back(std::move(grid));
  }
  void leaveOut(std::string sentence) {
    if (std::ranges::find(picture_.leftOut, sentence) == picture_.leftOut.end()) {
      picture_.leftOut.push_back(std::move(sentence));
    }
  }

  /// What the block reads of global and constant memory: inputs plane by plane, or coefficients as a whole.
  void addGlobals(bool inputs) {
    std::vector<ObjectId> order;
    if (footprint_.input != kNone) { order.push_back(footprint_.input); }
    for (ObjectId id = 0; id < program_.objects.size(); ++id) {
      const MemorySpace space = program_.objects[id].space;
      const bool result = id == footprint_.output && id != footprint_.input;
      if (id == footprint_.input || result) { continue; }
      if (space == MemorySpace::Global || space == MemorySpace::Constant) { order.push_back(id); }
    }
    for (const ObjectId id : order) {
      if (isInput(id) != inputs) { continue; }
      const auto read = readElements(recording_, id);
      if (!read.empty()) { addGlobal(id, read); }
    }
  }
  /// Further inputs are seen where the input is.
  [[nodiscard]] bool isInput(ObjectId id) const {
    return id == footprint_.input || recording_.extents[id] == footprint_.inputExtents;
  }
  void addGlobal(ObjectId id, const std::map<std::int64_t, std::uint64_t>& read) {
    const MemoryObject& object = program_.objects[id];
    const std::vector<std::int64_t>& extents = recording_.extents[id];
    const bool input = id == footprint_.input;
    const bool constant = object.space == MemorySpace::Constant;
    if (constant && static_cast<std::int64_t>(read.size()) > kMostCoefficients) {
      leaveOut(trf("{}: not drawn, {} elements.", object.name, read.size()));
      return;
    }
    const std::array<std::int64_t, 3> shape = shapeOf(extents);
    Box box;
    for (const auto& [element, bits] : read) { box.add(pointOf(element, shape)); }
    const bool oneAxis = shape[0] == 1 && shape[1] == 1;
    const bool planes = box.high.z > box.low.z || shape[0] > 1;
    const bool follows = isInput(id);
    const std::string kind = constant ? tr("constant memory") : tr("global memory, read");
    ++array_;
    std::int64_t count = 0;
    for (std::int64_t z = box.low.z; z <= box.high.z; ++z) {
      if (follows ? !drawn(z) : count >= kMostPlanes) { continue; }
      const auto at = [&](std::int64_t row, std::int64_t column) {
        const GridPoint point{z, box.low.y + row, box.low.x + column};
        const std::int64_t element = (point.z * shape[1] + point.y) * shape[2] + point.x;
        PictureCell cell = cellOf({Change::Kind::Global, id, element},
                                  recording::formatElement(object.name, extents, element), object.element);
        const auto found = read.find(element);
        if (found == read.end()) { return cell; }
        cell.inArray = cell.shown = true;
        cell.bits = found->second;
        cell.role = Role::Interior;
        if (input) {
          const auto known = std::ranges::lower_bound(footprint_.loadPoints, element, {}, &PointView::element);
          if (known != footprint_.loadPoints.end() && known->element == element) { cell.role = known->role; }
        }
        return cell;
      };
      addGrid(planes ? fmt::format("{}[{}]", object.name, z) : object.name, count == 0 ? kind : std::string(),
              box.high.y - box.low.y + 1, box.high.x - box.low.x + 1, box.low.y, box.low.x, oneAxis, at);
      ++count;
    }
    if (count < box.high.z - box.low.z + 1) {
      leaveOut(trf("{}: {} of the planes {} to {} are drawn.", object.name, count, box.low.z, box.high.z));
    }
  }

  void addCarrier(const recording::CarrierView& view) {
    const Carrier& carrier = *view.carrier;
    const bool isRegister = carrier.kind == Carrier::Kind::Register;
    const std::array<std::int64_t, 3> shape = shapeOf(carrier.extents);
    const bool oneAxis = shape[0] == 1 && shape[1] == 1;
    const auto plane = static_cast<std::size_t>(shape[1] * shape[2]);
    ++array_;
    std::int64_t count = 0;
    for (std::int64_t z = 0; z < shape[0]; ++z) {
      const std::size_t begin = static_cast<std::size_t>(z) * plane;
      if (begin + plane > view.cells.size()) { break; }
      const bool seen =
          !view.placed || std::ranges::any_of(view.cells.begin() + static_cast<std::ptrdiff_t>(begin),
                                              view.cells.begin() + static_cast<std::ptrdiff_t>(begin + plane),
                                              [&](const CarrierCell& cell) { return cell.placed && drawn(cell.at.z); });
      if (shape[0] > 1 && (!seen || count >= kMostPlanes)) { continue; }
      const auto at = [&](std::int64_t row, std::int64_t column) {
        const CarrierCell& held = view.cells[begin + static_cast<std::size_t>(row * shape[2] + column)];
        const CellKey key{isRegister ? Change::Kind::Variable : Change::Kind::Shared, carrier.id, held.index};
        PictureCell cell = cellOf(
            key,
            isRegister ? trf("{} of thread {}", carrier.name,
                             text(unlinear(static_cast<std::uint64_t>(held.index), recording_.configuration.block)))
                       : recording::formatElement(carrier.name, carrier.extents, held.index),
            carrier.type);
        cell.inArray = cell.carrier = true;
        cell.role = held.role;
        cell.shown = held.cell.writtenAt != kNone && !recording::isPoison(carrier.type, held.cell.bits);
        cell.bits = held.cell.bits;
        cell.origin = held.cell.origin;
        cell.written = held.changed;
        return cell;
      };
      const std::string kind = isRegister ? tr("a register of each thread") : tr("shared memory");
      addGrid(shape[0] > 1 ? fmt::format("{}[{}]", carrier.name, z) : carrier.name, count == 0 ? kind : std::string(),
              shape[1], shape[2], 0, 0, oneAxis, at);
      ++count;
    }
    if (shape[0] > 1 && count < shape[0]) {
      leaveOut(trf("{}: {} of {} planes are drawn.", carrier.name, count, shape[0]));
    }
  }

  /// Shared arrays that hold results.
  void addOtherShared() {
    for (ObjectId id = 0; id < program_.objects.size(); ++id) {
      const MemoryObject& object = program_.objects[id];
      const bool carried = std::ranges::any_of(experiment_.carriers, [&](const Carrier& carrier) {
        return carrier.kind == Carrier::Kind::SharedArray && carrier.id == id;
      });
      const std::vector<recording::Cell>& held = cursor_.shared(id);
      if (object.space != MemorySpace::Shared || carried || held.empty()) { continue; }
      const std::array<std::int64_t, 3> shape = shapeOf(recording_.extents[id]);
      ++array_;
      const auto at = [&](std::int64_t row, std::int64_t column) {
        const std::int64_t element = row * shape[2] + column;
        PictureCell cell =
            cellOf({Change::Kind::Shared, id, element},
                   recording::formatElement(object.name, recording_.extents[id], element), object.element);
        const recording::Cell& one = held[static_cast<std::size_t>(element)];
        cell.inArray = true;
        cell.shown = one.writtenAt != kNone;
        cell.role = cell.shown ? Role::Computed : Role::Unwritten;
        cell.bits = one.bits;
        cell.origin = one.origin;
        cell.written = picture_.position > 0 && one.writtenAt == cursor_.currentStep();
        return cell;
      };
      addGrid(shape[0] > 1 ? fmt::format("{}[0]", object.name) : object.name, tr("shared memory"), shape[1], shape[2],
              0, 0, shape[0] == 1 && shape[1] == 1, at);
    }
  }

  void addOutputs(const BlockView& view) {
    if (footprint_.output == kNone) { return; }
    const MemoryObject& object = program_.objects[footprint_.output];
    const std::vector<std::int64_t>& extents = recording_.extents[footprint_.output];
    const std::array<std::int64_t, 3> shape = shapeOf(extents);
    Box box;
    std::map<std::tuple<std::int64_t, std::int64_t>, const PointView*> places;
    std::int64_t ownPlane = 0;
    for (const PointView& point : view.outputs) {
      if (point.at.z != plane_) { continue; }
      const GridPoint own = pointOf(point.element, shape);
      box.add(own);
      ownPlane = own.z;
      places[{own.y, own.x}] = &point;
    }
    if (box.empty()) { return; }
    ++array_;
    const auto at = [&](std::int64_t row, std::int64_t column) {
      const auto found = places.find({box.low.y + row, box.low.x + column});
      if (found == places.end()) { return PictureCell{}; }
      const std::int64_t element = found->second->element;
      PictureCell cell = cellOf({Change::Kind::Global, footprint_.output, element},
                                recording::formatElement(object.name, extents, element), object.element);
      const recording::Cell* held = cursor_.output(footprint_.output, element);
      cell.inArray = cell.output = true;
      cell.shown = held != nullptr && held->writtenAt != kNone;
      cell.role = cell.shown ? Role::Output : Role::Pending;
      if (cell.shown) {
        cell.bits = held->bits;
        cell.origin = held->origin;
        cell.written = picture_.position > 0 && held->writtenAt == cursor_.currentStep();
      }
      cell.faulty = faulty_.contains(element);
      cell.operand = false;
      return cell;
    };
    addGrid(shape[0] > 1 ? fmt::format("{}[{}]", object.name, ownPlane) : object.name, tr("global memory, written"),
            box.high.y - box.low.y + 1, box.high.x - box.low.x + 1, box.low.y, box.low.x,
            shape[0] == 1 && shape[1] == 1, at);
    // A mark that all of them have says nothing.
    std::vector<PictureCell>& cells = picture_.grids.back().cells;
    if (std::ranges::all_of(cells, [](const PictureCell& cell) { return cell.written || !cell.shown; })) {
      for (PictureCell& cell : cells) { cell.written = false; }
    }
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
  std::size_t array_ = 0;
  PictureGrid::Group group_ = PictureGrid::Group::Input;
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
