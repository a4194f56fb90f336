#include "render/SceneBuilder.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "render/SceneLayout.h"
#include "render/SceneParts.h"

namespace haloscope::render {

using recording::Carrier;
using recording::CarrierCell;
using recording::CarrierView;
using recording::Change;
using recording::GridPoint;
using recording::Origin;
using recording::PointView;
using recording::Role;

namespace {

constexpr float kRegisterInset = 0.09F;              ///< registers are each thread's own: their cells do not touch
constexpr float kGhostOpacity = 0.9F;                ///< of a ghost cell that nothing was written to
constexpr float kWrongShade = 0.8F;                  ///< of a wrong value: it must be conspicuous, whatever it is
constexpr float kWorn = 0.9F, kWornOpacity = 0.45F;  ///< of what is replaced: its height, by that of others
constexpr float kUnreadOpacity = 0.3F;               ///< of input that the block has not read yet
constexpr std::size_t kSingleCells = 5000;           ///< a plane with more is drawn as stretches of equal cells

/// A cell on its way to becoming a box, or part of one.
struct Cell {
  GridPoint at;
  std::uint32_t index = 0;
  SceneColour colour = SceneColour::Interior;
  SceneStyle style = SceneStyle::Solid;
  float shade = 0.5F, opacity = 1;
  bool changed = false, read = false;
  std::uint32_t thread = 0;  ///< that changed it
  std::int64_t since = -1;   ///< the step that wrote it

  [[nodiscard]] std::uint32_t warp() const { return thread / kWarpSize; }

  [[nodiscard]] bool looksLike(const Cell& other) const {
    return colour == other.colour && style == other.style && opacity == other.opacity && changed == other.changed &&
           read == other.read && (!changed || warp() == other.warp());
  }
};

/// Where the changed cells of a plane come from.
enum class Source : std::uint8_t {
  Above,    ///< nowhere that is drawn
  Input,    ///< the same grid point, in global memory
  Carrier,  ///< the same cell of another one
};

/// A grid plane's cells and what they have in common.
struct PlaneOfCells {
  SceneSpot spot;
  SceneSource::Kind kind = SceneSource::Kind::None;
  std::uint32_t carrier = 0;
  float inset = 0;
  Source source = Source::Above;
  SceneSpot from;  ///< of Carrier: its spot
  SceneColour colourFrom = SceneColour::Count;
  bool merge = false;  ///< it is hardly seen: few boxes matter more than each cell's shade
  std::vector<Cell> cells;
};

/// Which cells of a plane touch.
class Neighbourhood {
 public:
  Neighbourhood(const PlaneOfCells& plane, bool rowsTouch) : touching_(plane.inset == 0 && rowsTouch) {
    if (!touching_ || plane.cells.empty()) return;
    low_ = high_ = plane.cells.front().at;
    for (const Cell& cell : plane.cells) {
      low_ = {0, std::min(low_.y, cell.at.y), std::min(low_.x, cell.at.x)};
      high_ = {0, std::max(high_.y, cell.at.y), std::max(high_.x, cell.at.x)};
    }
    states_.resize(static_cast<std::size_t>((high_.y - low_.y + 1) * (high_.x - low_.x + 1)), kAbsent);
    for (const Cell& cell : plane.cells) { states_[indexOf(cell.at.y, cell.at.x)] = stateOf(cell); }
  }

  /// All four neighbours are there, and move as the cell does.
  [[nodiscard]] bool encloses(const Cell& cell) const {
    if (!touching_ || cell.style != SceneStyle::Solid) return false;
    if (cell.at.y <= low_.y || cell.at.y >= high_.y || cell.at.x <= low_.x || cell.at.x >= high_.x) return false;
    const std::uint32_t state = stateOf(cell);
    return states_[indexOf(cell.at.y - 1, cell.at.x)] == state && states_[indexOf(cell.at.y + 1, cell.at.x)] == state &&
           states_[indexOf(cell.at.y, cell.at.x - 1)] == state && states_[indexOf(cell.at.y, cell.at.x + 1)] == state;
  }

 private:
  static constexpr std::uint32_t kAbsent = 0, kStays = 1, kMoves = 2;  ///< and the warp

  [[nodiscard]] static std::uint32_t stateOf(const Cell& cell) {
    if (cell.style != SceneStyle::Solid) return kAbsent;
    return cell.changed ? kMoves + cell.warp() : kStays;
  }
  [[nodiscard]] std::size_t indexOf(std::int64_t y, std::int64_t x) const {
    return static_cast<std::size_t>((y - low_.y) * (high_.x - low_.x + 1) + x - low_.x);
  }

  bool touching_;
  GridPoint low_, high_;
  std::vector<std::uint32_t> states_;
};

class Builder {
 public:
  explicit Builder(const SceneSubject& subject) : subject_(subject), layout_(subject) {}

  SceneModel build() {
    for (const std::uint32_t c : layout_.carriers()) { addCarrier(c); }
    addPoints(false, subject_.view.inputs);
    addPoints(true, subject_.view.outputs);
    if (layout_.arrangement() == SceneArrangement::Points) addGhosts();
    if (layout_.arrangement() == SceneArrangement::Planes) {
      addBoards();
      addFrames();
    }
    addHighlights(model_, subject_, layout_);
    addWords(model_, subject_, layout_);
    addArrows(model_, subject_, layout_);
    addEvents(model_, subject_);
    std::stable_sort(model_.boxes.begin(), model_.boxes.end(), [](const SceneBox& a, const SceneBox& b) {
      const bool solidA = a.style == SceneStyle::Solid;
      const bool solidB = b.style == SceneStyle::Solid;
      return solidA != solidB ? solidA : solidA && a.high.y > b.high.y;
    });
    model_.low = subject_.facts.low;
    model_.high = subject_.facts.high;
    model_.fold = layout_.fold();
    model_.rulers = layout_.rulers();
    model_.extent = layout_.extent();
    model_.homeYaw = layout_.homeYaw();
    model_.freeAt = layout_.freeAt();
    model_.clear = layout_.clear();
    return std::move(model_);
  }

 private:
  void addCarrier(std::uint32_t c) {
    const CarrierView& view = subject_.view.carriers[c];
    const Carrier& carrier = subject_.carriers[c];
    const CarrierFacts& facts = subject_.facts.carriers[c];
    std::map<std::size_t, PlaneOfCells> planes;  // by slot
    for (std::uint32_t i = 0; i < view.cells.size(); ++i) {
      const CarrierCell& cell = view.cells[i];
      const std::optional<GridPoint> place = layout_.pointOf(c, cell);
      if (!place) continue;
      const GridPoint at = *place;
      held_.insert({at.z, at.y, at.x});
      // What lies in a slot is one slab, wherever its cells come from.
      const std::size_t slot = layout_.slotOf(c, cell.index);
      const auto [entry, isNew] = planes.try_emplace(slot);
      PlaneOfCells& cells = entry->second;
      if (isNew) startPlane(cells, c, carrier, slot);
      if (cell.changed && cells.source == Source::Carrier) cells.from = sourceSpot(view.movedFrom, cell);
      Cell box{.at = layout_.fold()(at),
               .index = i,
               .colour = colourOf(cell.role, facts.place),
               .changed = cell.changed,
               .read = cell.read,
               .thread = cell.cell.writer};
      if (cell.cell.writtenAt != kNone) box.since = cell.cell.writtenAt;
      box.shade = subject_.facts.shade(carrier.type, cell.cell.bits);
      const bool written = cell.cell.origin.kind != Origin::Kind::Unwritten;
      if (cell.inFlight != kNone) {
        box.style = SceneStyle::Outline;
        box.colour = SceneColour::Interior;
        box.opacity = kInFlightOpacity;
        box.shade = 0.5F;
      } else if (cell.role == Role::Unwritten || !written) {
        box.style = SceneStyle::Outline;
        box.opacity = cell.role == Role::Ghost ? kGhostOpacity : 0.55F;
        box.shade = 0.5F;
      } else if (cell.role == Role::Ghost) {
        box.opacity = 0.75F;
      } else if (cell.cell.origin.kind == Origin::Kind::Element && subject_.facts.isUnused(cell.cell.origin.element)) {
        box.opacity = kUnusedOpacity;
      }
      cells.cells.push_back(box);
    }
    for (auto& [slot, plane] : planes) {
      const auto moves = [](const Cell& cell) { return cell.changed; };
      if (breaksUp(plane) && std::ranges::any_of(plane.cells, moves)) model_.turns = kChipTurns;
      emit(plane);
    }
    addOverwritten(c);
  }

  /// What the step's values replace stays in its slot until they arrive.
  void addOverwritten(std::uint32_t c) {
    if (layout_.arrangement() != SceneArrangement::Planes || subject_.cursor.atStart()) return;
    const Carrier& carrier = subject_.carriers[c];
    const auto kind = carrier.kind == Carrier::Kind::SharedArray ? Change::Kind::Shared : Change::Kind::Variable;
    const auto& cells = subject_.view.carriers[c].cells;
    std::set<std::int64_t> seen;
    for (const Change& change : subject_.cursor.recording().changesOf(subject_.cursor.currentStep())) {
      const bool own = change.kind == kind && change.id == carrier.id && seen.insert(change.index).second;
      if (!own || change.originBefore.kind == Origin::Kind::Unwritten) continue;
      if (change.index < 0 || static_cast<std::size_t>(change.index) >= cells.size()) continue;
      const CarrierCell& cell = cells[static_cast<std::size_t>(change.index)];
      const std::optional<GridPoint> at = layout_.pointOf(c, cell);
      if (!at) continue;
      SceneBox box;
      const glm::vec3 inset =
          carrier.kind == Carrier::Kind::Register ? glm::vec3(kRegisterInset, 0, kRegisterInset) : glm::vec3(0);
      box.low = layout_.place(layout_.carrierSpot(c, cell), *at);
      box.high = box.low + layout_.cell() + glm::vec3(0, layout_.thickness() * kWorn, 0) - inset;
      box.low += inset;
      box.colour = colourOf(cell.role, subject_.facts.carriers[c].place);
      box.shade = subject_.facts.shade(carrier.type, change.before);
      box.opacity = kWornOpacity;
      box.leaves = true;
      model_.boxes.push_back(box);
    }
  }

  void startPlane(PlaneOfCells& plane, std::uint32_t c, const Carrier& carrier, std::size_t slot) {
    plane.spot = layout_.slotSpot(c, slot);
    plane.kind = SceneSource::Kind::Carrier;
    plane.carrier = c;
    plane.inset = carrier.kind == Carrier::Kind::Register ? kRegisterInset : 0;
    const std::uint32_t source = subject_.view.carriers[c].movedFrom;
    const auto& drawn = layout_.carriers();
    if (source != kNone && std::find(drawn.begin(), drawn.end(), source) != drawn.end()) {
      plane.source = Source::Carrier;
      plane.from = layout_.slotSpot(source);
      plane.colourFrom = colourOf(Role::Interior, subject_.facts.carriers[source].place);
    } else if (layout_.arrangement() == SceneArrangement::Planes) {
      plane.source = Source::Input;
    }
  }

  /// Where a value lies that was copied out of a carrier: in the slot that holds the same point.
  [[nodiscard]] SceneSpot sourceSpot(std::uint32_t source, const CarrierCell& copy) const {
    if (layout_.slotsOf(source) > 1) {
      for (const CarrierCell& cell : subject_.view.carriers[source].cells) {
        if (cell.cell.origin == copy.cell.origin) return layout_.carrierSpot(source, cell);
      }
    }
    return layout_.slotSpot(source);
  }

  /// From how far above their places new values fall.
  [[nodiscard]] float dropHeight() const { return 0.8F + 2 * layout_.thickness(); }

  /// Without copies all points that are read; with copies those that arithmetic still reads from global memory.
  [[nodiscard]] bool showsInput(const PointView& point) const {
    if (layout_.arrangement() == SceneArrangement::Points) return true;
    if (layout_.arrangement() == SceneArrangement::Planes) return true;
    if (!subject_.facts.isDirect(point.element)) return false;
    return !held_.contains({point.at.z, point.at.y, point.at.x});
  }

  /// The colour that a plane of the input has where a copy of it lies now.
  [[nodiscard]] SceneColour heldAs(std::int64_t plane) const {
    for (const std::uint32_t c : layout_.carriers()) {
      const CarrierView& view = subject_.view.carriers[c];
      const RotationPlace place = subject_.facts.carriers[c].place;
      if (view.placed && view.offset.z == plane && place != RotationPlace::None) return colourOf(Role::Interior, place);
    }
    return SceneColour::Interior;
  }

  void addPoints(bool output, const std::vector<PointView>& points) {
    const bool planesApart = layout_.arrangement() == SceneArrangement::Planes;
    const ObjectId object = output ? subject_.footprint.output : subject_.footprint.input;
    if (object == kNone) return;
    const ValueType type = subject_.cursor.recording().program->objects[object].element;
    std::map<std::int64_t, PlaneOfCells> planes;
    for (std::uint32_t i = 0; i < points.size(); ++i) {
      const PointView& point = points[i];
      if (!output && !showsInput(point)) continue;
      PlaneOfCells& plane = planes[point.at.z];
      Cell box{.at = layout_.fold()(point.at), .index = i, .colour = colourOf(point.role, RotationPlace::None)};
      if (point.role == Role::Pending) {
        box.style = layout_.isOpen(point.at.z) && !planesApart ? SceneStyle::Outline : SceneStyle::Frame;
        box.opacity = layout_.isOpen(point.at.z) ? 0.6F : 0.5F;
      } else {
        box.shade = subject_.facts.shade(type, point.bits);
        box.changed = output && point.active;
        box.read = !output && point.active;
        // Input lies in global memory all the time; the block has read some of it.
        const bool read = point.step < subject_.cursor.position();
        if (!output && !point.active) box.opacity = read ? 0.75F : kUnreadOpacity;
        if (!output && !point.active && !read && planesApart) box.style = SceneStyle::Outline;
        if (output) box.thread = point.thread;
      }
      if (point.role == Role::Output && std::ranges::binary_search(subject_.wrong, point.element)) {
        box.colour = SceneColour::Fault;
        box.shade = kWrongShade;
      }
      plane.cells.push_back(box);
    }
    for (auto& [z, plane] : planes) {
      plane.kind = output ? SceneSource::Kind::Output : SceneSource::Kind::Input;
      plane.spot = output ? layout_.outputSpot(z) : layout_.inputSpot(z);
      if (output && planesApart) takeFromCurrent(plane, z);
      if (!output && planesApart) {
        const SceneColour held = heldAs(z);
        for (Cell& cell : plane.cells) {
          if (cell.colour == SceneColour::Interior) cell.colour = held;
          cell.shade = 0.5F;  // boxes of several cells have no values
        }
      }
      plane.merge = (planesApart && !output) || !layout_.isOpen(z) || plane.cells.size() > kSingleCells;
      emit(plane);
    }
  }

  /// Results come from where the threads that compute them keep the point in the middle.
  void takeFromCurrent(PlaneOfCells& plane, std::int64_t z) const {
    for (const std::uint32_t c : layout_.carriers()) {
      const CarrierView& view = subject_.view.carriers[c];
      if (!view.placed) continue;
      std::optional<std::size_t> slot;
      if (layout_.slotsOf(c) > 1) {
        const auto holds = [&](const CarrierCell& cell) {
          return cell.placed && cell.at.z == z && cell.cell.origin.kind == Origin::Kind::Element;
        };
        const auto held = std::ranges::find_if(view.cells, holds);
        if (held != view.cells.end()) slot = layout_.slotOf(c, held->index);
      } else if (view.offset.z == z) {
        slot = 0;
      }
      if (!slot) continue;
      plane.source = Source::Carrier;
      plane.from = layout_.slotSpot(c, *slot).raised(layout_.thickness());
      return;  // of copies of a plane that which each thread keeps for itself comes first
    }
  }

  /// Cells for points outside the input, which threads at its ends do without.
  void addGhosts() {
    std::map<std::int64_t, PlaneOfCells> planes;
    for (std::uint32_t i = 0; i < subject_.facts.ghosts.size(); ++i) {
      const GridPoint& at = subject_.facts.ghosts[i];
      Cell box{.at = layout_.fold()(at),
               .index = i,
               .colour = SceneColour::Ghost,
               .style = SceneStyle::Outline,
               .opacity = kGhostOpacity};
      planes[at.z].cells.push_back(box);
    }
    for (auto& [z, plane] : planes) {
      plane.kind = SceneSource::Kind::Ghost;
      plane.spot = layout_.inputSpot(z);
      emit(plane);
    }
  }

  /// Boxes for a plane: one a cell, or one for each rectangle of cells that look alike where merging is allowed.
  void emit(PlaneOfCells& plane) {
    // Of an array that keeps several planes in one slab, what was written last is seen.
    std::ranges::sort(plane.cells, [](const Cell& a, const Cell& b) {
      return std::tuple(a.at.y, a.at.x, -a.since) < std::tuple(b.at.y, b.at.x, -b.since);
    });
    const auto same = [](const Cell& a, const Cell& b) { return a.at.y == b.at.y && a.at.x == b.at.x; };
    plane.cells.erase(std::unique(plane.cells.begin(), plane.cells.end(), same), plane.cells.end());
    struct Stretch {
      std::size_t first, length;  ///< in plane.cells, along x
    };
    std::vector<std::vector<Stretch>> rectangles;  ///< each a list of rows
    std::map<std::int64_t, std::size_t> open;      ///< rectangles that reach the row before: by their first x
    std::map<std::int64_t, std::size_t> next;
    std::int64_t row = plane.cells.empty() ? 0 : plane.cells.front().at.y;
    for (std::size_t i = 0; i < plane.cells.size();) {
      const Cell& cell = plane.cells[i];
      if (cell.at.y != row) {
        if (cell.at.y != row + 1) next.clear();
        open = std::exchange(next, {});
        row = cell.at.y;
      }
      const bool merge = plane.merge || cell.style != SceneStyle::Solid;
      std::size_t length = 1;
      while (merge && i + length < plane.cells.size()) {
        const Cell& other = plane.cells[i + length];
        if (other.at.y != row || other.at.x != cell.at.x + static_cast<std::int64_t>(length)) break;
        if (!other.looksLike(cell)) break;
        ++length;
      }
      const auto above = open.find(cell.at.x);
      const bool rowsTouch = layout_.fold().columns == 0 || layout_.fold().stride > 1;
      if (merge && rowsTouch && above != open.end() && rectangles[above->second].back().length == length &&
          plane.cells[rectangles[above->second].back().first].looksLike(cell)) {
        rectangles[above->second].push_back({i, length});
        next[cell.at.x] = above->second;
      } else {
        if (merge) next[cell.at.x] = rectangles.size();
        rectangles.push_back({{i, length}});
      }
      i += length;
    }
    const bool touching = (layout_.fold().columns == 0 || layout_.fold().stride > 1) && !breaksUp(plane);
    const Neighbourhood neighbourhood(plane, touching);
    for (const auto& rows : rectangles) {
      const Cell& cell = plane.cells[rows.front().first];
      const auto width = static_cast<int>(rows.front().length);
      const auto height = static_cast<int>(rows.size());
      SceneBox box = boxFor(plane, cell, width, height);
      box.enclosed = width == 1 && height == 1 && neighbourhood.encloses(cell);
      box.firstPick = static_cast<std::uint32_t>(model_.picks.size());
      for (const Stretch& stretch : rows) {
        for (std::size_t i = 0; i < stretch.length; ++i) {
          model_.picks.push_back(plane.cells[stretch.first + i].index);
        }
      }
      model_.boxes.push_back(box);
    }
  }

  [[nodiscard]] SceneBox boxFor(const PlaneOfCells& plane, const Cell& cell, int width, int height) const {
    SceneBox box;
    const float scale = plane.spot.scale;
    const glm::vec3 corner = layout_.placeFolded(plane.spot, cell.at);
    // An outline is flat: a wire box around every cell would be a thicket.
    const float thickness = cell.style == SceneStyle::Solid ? layout_.thickness() * scale * plane.spot.flat : 0;
    box.low = corner + scale * glm::vec3(plane.inset, 0, plane.inset);
    box.high = corner + scale * glm::vec3(static_cast<float>(width) - plane.inset, thickness,
                                          layout_.cell().z * static_cast<float>(height) - plane.inset);
    box.cellsX = width;
    box.cellsZ = height;
    box.colour = cell.colour;
    box.style = cell.style;
    box.shade = cell.shade;
    box.opacity = cell.opacity;
    box.changed = cell.changed;
    box.read = cell.read && !layout_.isStrip();  // its mark would lie on the value
    box.at = cell.at;
    box.kind = plane.kind;
    box.carrier = plane.carrier;
    if (cell.changed && !layout_.isStrip()) move(box, plane, cell);
    return box;
  }

  /// Where a changed cell comes from.
  void move(SceneBox& box, const PlaneOfCells& plane, const Cell& cell) const {
    const recording::Recording& recording = subject_.cursor.recording();
    if (cell.thread != kNone) box.turn = turnOf(cell.warp(), recording.warpCount());
    if (cell.thread != kNone && breaksUp(plane)) box.turn = chipTurn(cell.thread, recording.threadCount());
    SceneSpot from = plane.from;
    if (plane.source == Source::Input) {
      const Origin& origin = subject_.view.carriers[plane.carrier].cells[cell.index].cell.origin;
      if (origin.kind == Origin::Kind::Element && origin.object == subject_.footprint.input) {
        from = layout_.inputSpot(subject_.footprint.point(origin.element).z);
      } else {
        box.travel = {0, dropHeight(), 0};
        return;
      }
    } else if (plane.source == Source::Above) {
      box.travel = {0, dropHeight(), 0};
      return;
    }
    box.travelScale = from.scale / plane.spot.scale;
    box.travel = layout_.placeFolded(from, cell.at) + from.scale * glm::vec3(plane.inset, 0, plane.inset) - box.low;
    if (cell.colour == colourOf(Role::Interior, placeOf(plane))) box.travelColour = plane.colourFrom;
  }

  /// Each thread takes its own value: into its registers, or out of them.
  [[nodiscard]] bool breaksUp(const PlaneOfCells& plane) const {
    if (plane.kind != SceneSource::Kind::Carrier) return false;
    const auto isRegister = [&](std::uint32_t c) { return subject_.carriers[c].kind == Carrier::Kind::Register; };
    const std::uint32_t from = subject_.view.carriers[plane.carrier].movedFrom;
    return isRegister(plane.carrier) || (from != kNone && isRegister(from));
  }
  /// Chips leave in the order of their threads, but not as rows: neighbours part.
  [[nodiscard]] static float chipTurn(std::uint32_t thread, std::uint32_t threads) {
    constexpr std::uint32_t kScatter = 0x9E3779B1U;  // of Fibonacci hashing
    const float own = static_cast<float>((thread * kScatter) >> 16U) / 65536.0F;
    return 0.5F * (static_cast<float>(thread) / static_cast<float>(threads) + own);
  }

  [[nodiscard]] RotationPlace placeOf(const PlaneOfCells& plane) const {
    return plane.kind == SceneSource::Kind::Carrier ? subject_.facts.carriers[plane.carrier].place
                                                    : RotationPlace::None;
  }

  /// What the planes of the bench lie on, and their slots.
  void addBoards() {
    for (const SceneBench::Board& board : layout_.bench().boards()) {
      SceneBox box{.low = {board.low.x, -layout_.bench().thickness(), board.low.y},
                   .high = {board.high.x, -0.06F, board.high.y},
                   .colour = SceneColour::Bench};
      model_.boxes.push_back(box);
    }
    for (const std::uint32_t c : layout_.carriers()) {
      for (std::size_t slot = 0; slot < layout_.slotsOf(c); ++slot) {
        addFrame(layout_.slotSpot(c, slot).raised(-0.03F), layout_.low(), layout_.high(), 0.8F);
      }
    }
  }

  void addFrame(const SceneSpot& spot, const GridPoint& low, const GridPoint& high, float opacity) {
    SceneBox box{.low = layout_.placeFolded(spot, low),
                 .high = layout_.placeFolded(spot, {0, high.y + 1, high.x + 1}),
                 .colour = SceneColour::Frame,
                 .style = SceneStyle::Frame,
                 .opacity = opacity};
    model_.boxes.push_back(box);
  }

  /// Around the block's part of each plane of the input.
  void addFrames() {
    const GridPoint low = layout_.low(), high = layout_.high();
    for (std::int64_t z = low.z; z <= high.z; ++z) {
      addFrame(layout_.inputSpot(z), {0, low.y - kFrame, low.x - kFrame}, {0, high.y + kFrame, high.x + kFrame}, 0.35F);
    }
  }

  const SceneSubject& subject_;
  SceneLayout layout_;
  SceneModel model_;
  std::set<std::array<std::int64_t, 3>> held_;  ///< points that carriers have a cell for
};

}  // namespace

SceneModel buildScene(const SceneSubject& subject) { return Builder(subject).build(); }

}  // namespace haloscope::render
