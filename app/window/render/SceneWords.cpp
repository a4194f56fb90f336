#include "render/SceneParts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "language/Text.h"
#include "program/NumberText.h"

namespace haloscope::render {

using recording::Carrier;
using recording::CarrierView;
using recording::GridPoint;
using recording::PointView;
using recording::Role;

namespace {

constexpr float kBeforeBench = 0.4F;  ///< from the bench to the words on the ground, by the bench's height: theirs

std::string spelled(std::size_t n) {
  constexpr std::array<const char*, 7> kWords = {trMark("no"),   trMark("one"),  trMark("two"), trMark("three"),
                                                 trMark("four"), trMark("five"), trMark("six")};
  return n < kWords.size() ? tr(kWords[n]) : std::to_string(n);
}

std::string planesText(std::size_t n) { return trn("{} plane", "{} planes", n, spelled(n)); }

class WordFinder {
 public:
  WordFinder(SceneModel& model, const SceneSubject& subject, const SceneLayout& layout)
      : model_(model), subject_(subject), layout_(layout) {}

  void addLabels() {
    for (const std::uint32_t c : layout_.carriers()) {
      for (std::size_t slot = 0; slot < layout_.slotsOf(c); ++slot) { addSlotLabel(c, slot); }
    }
    const auto& objects = subject_.cursor.recording().program->objects;
    const bool planes = layout_.arrangement() == SceneArrangement::Planes;
    if ((planes || layout_.arrangement() == SceneArrangement::Points) && subject_.footprint.input != kNone) {
      SceneLabel label;
      label.text = objects[subject_.footprint.input].name;
      if (planes) label.side = SceneLabel::Side::Below;
      label.detail = tr("global memory");
      label.counts = true;
      label.colour = SceneColour::Interior;
      GridPoint low = layout_.low(), high = layout_.high();
      if (label.side == SceneLabel::Side::Below) {  // it has a frame
        low = {low.z, low.y - kFrame, low.x - kFrame};
        high = {high.z, high.y + kFrame, high.x + kFrame};
      }
      label.around = around(layout_.inputSpot(layout_.low().z), low, high);
      model_.labels.push_back(label);
    }
    if (subject_.footprint.output != kNone && !subject_.view.outputs.empty()) {
      SceneLabel label;
      label.side = layout_.floats() ? SceneLabel::Side::Right : SceneLabel::Side::Below;
      label.text = objects[subject_.footprint.output].name;
      const std::string written = grouped(subject_.view.outputsWritten), all = grouped(subject_.view.outputs.size());
      label.detail = subject_.wrong.empty() || subject_.view.outputsWritten < subject_.view.outputs.size()
                         ? trf("{} of {} written", written, all)
                         : trf("{} of {} written, {} wrong", written, all, grouped(subject_.wrong.size()));
      if (const std::size_t before = writtenBefore(); before < subject_.view.outputsWritten) {
        label.earlier = trf("{} of {} written", grouped(before), all);
      }
      label.colour = SceneColour::Output;
      label.around = aroundOutput(layout_.outputSpot(subject_.view.outputs.front().at.z));
      model_.labels.push_back(label);
    }
    // Where the input itself is not drawn, its copies arrive in the first carrier.
    if (std::ranges::none_of(model_.labels, &SceneLabel::counts) && !layout_.carriers().empty()) {
      model_.labels.front().counts = true;
    }
    addRowLabels();
    if (layout_.isFlat()) return;
    if (planes) {
      addPlaneLabels();
      return;
    }
    for (std::int64_t z = layout_.focus() - 1; z <= layout_.focus() + 1; ++z) {
      if (z <= layout_.low().z || z > layout_.high().z) continue;  // the lowest has the stack's name
      SceneLabel label;
      label.detail = coordinate(z);
      label.around = around(layout_.inputSpot(z), layout_.low(), layout_.high());
      model_.labels.push_back(label);
    }
  }

  /// What stands on the ground before the bench.
  void addLetterings() {
    for (const SceneBench::Board& board : layout_.bench().boards()) {
      if (!board.foremost) continue;
      const bool shared = board.kind == Carrier::Kind::SharedArray;
      const SceneFace face{.origin = {board.low.x, -layout_.bench().thickness(),
                                      board.high.y + kBeforeBench * layout_.bench().thickness()},
                           .along = {1, 0, 0},
                           .down = {0, 0, 1},
                           .length = board.high.x - board.low.x,
                           .height = layout_.bench().thickness()};
      model_.letterings.push_back({face, shared ? tr("SHARED MEMORY") : tr("REGISTERS")});
    }
  }

  /// ", 72 in flight to arrived_s[1]"; empty if nothing is.
  [[nodiscard]] std::string flightText(const CarrierView& view) const {
    std::size_t count = 0;
    const recording::InFlight* last = nullptr;
    const recording::Recording& recording = subject_.cursor.recording();
    for (const recording::CarrierCell& cell : view.cells) {
      if (cell.inFlight == kNone) continue;
      ++count;
      last = &recording.inFlight[cell.inFlight];
    }
    if (last == nullptr) return {};
    if (last->barrier == kNone) return trf(", {} in flight", grouped(count));
    return trf(", {} in flight to {}", grouped(count),
               recording::formatElement(recording.program->objects[last->barrier].name,
                                        recording.extents[last->barrier], last->barrierIndex));
  }

  void addLegend() {
    const bool rotates = subject_.facts.rotates && layout_.arrangement() == SceneArrangement::Planes;
    const auto add = [&](SceneColour colour, SceneStyle style, float opacity, const std::string& word) {
      for (const SceneLegendEntry& entry : model_.legend) {
        if (entry.word == word) return;
      }
      model_.legend.push_back({colour, style, opacity, word});
    };
    const auto uses = [&](SceneColour colour, auto&& filter) {
      return std::any_of(model_.boxes.begin(), model_.boxes.end(),
                         [&](const SceneBox& box) { return box.colour == colour && filter(box); });
    };
    const auto any = [](const SceneBox&) { return true; };
    const auto unused = [](const SceneBox& box) { return box.opacity == kUnusedOpacity; };
    using enum SceneColour;
    const bool active = std::any_of(model_.lines.begin(), model_.lines.end(),
                                    [](const SceneLine& line) { return line.colour == SceneColour::Active; }) ||
                        std::any_of(model_.boxes.begin(), model_.boxes.end(),
                                    [](const SceneBox& box) { return box.changed || box.read; });
    const bool faulty = std::any_of(model_.lines.begin(), model_.lines.end(),
                                    [](const SceneLine& line) { return line.colour == SceneColour::Fault; });
    // First, as a legend with too little room loses its last entries.
    if (active) add(Active, SceneStyle::Solid, 1, tr("current step"));
    if (uses(Fault, any)) add(Fault, SceneStyle::Solid, 1, tr("wrong without the barrier"));
    if (faulty) add(Fault, SceneStyle::Outline, 1, tr("reached by a fault"));
    const auto flies = [](const SceneBox& box) { return box.opacity == kInFlightOpacity; };
    const auto landed = [](const SceneBox& box) { return box.opacity != kInFlightOpacity; };
    if (uses(Previous, any)) add(Previous, SceneStyle::Solid, 1, tr("previous plane"));
    if (uses(Interior, landed)) add(Interior, SceneStyle::Solid, 1, rotates ? tr("current plane") : tr("interior"));
    if (uses(Next, any) || (rotates && uses(Output, any))) add(Next, SceneStyle::Solid, 1, tr("output / next plane"));
    if (uses(Halo, any)) add(Halo, SceneStyle::Solid, 1, tr("halo"));
    const auto unread = [](const SceneBox& box) {
      return box.kind == SceneSource::Kind::Input && box.style == SceneStyle::Outline;
    };
    if (uses(Halo, unread)) add(Halo, SceneStyle::Outline, 1, tr("not read yet"));
    if (uses(Halo, unused)) add(Halo, SceneStyle::Solid, kUnusedOpacity, tr("loaded but never used"));
    const bool written = uses(Ghost, [](const SceneBox& box) { return box.style == SceneStyle::Solid; });
    if (uses(Ghost, any)) add(Ghost, written ? SceneStyle::Solid : SceneStyle::Outline, 1, tr("ghost"));
    if (uses(Computed, any)) add(Computed, SceneStyle::Solid, 1, tr("computed"));
    if (uses(Unwritten, any)) add(Unwritten, SceneStyle::Outline, 1, tr("not loaded"));
    if (uses(Output, any) && !rotates) add(Output, SceneStyle::Solid, 1, tr("output"));
    if (uses(Interior, flies)) add(Interior, SceneStyle::Outline, kInFlightOpacity, tr("in flight"));
    if (uses(Pending, any)) add(Pending, SceneStyle::Outline, 1, tr("output not yet written"));
  }

  void addTitle() {
    if (subject_.cursor.recording().steps.empty()) {
      model_.title = tr("it does nothing");
      return;
    }
    std::size_t sharedPlanes = 0;
    std::size_t registerPlanes = 0;
    const Carrier* tile = nullptr;
    for (const std::uint32_t c : layout_.carriers()) {
      const Carrier& carrier = subject_.carriers[c];
      if (carrier.kind == Carrier::Kind::Register) {
        ++registerPlanes;
      } else if (carrier.copies) {
        ++sharedPlanes;
        tile = &carrier;
      }
    }
    if (sharedPlanes + registerPlanes == 0) {  // what is in shared memory may be no copy of the input, such as sums
      model_.title =
          usesSharedMemory() ? tr("every input is read from global memory") : tr("every read goes to global memory");
      return;
    }
    switch (layout_.arrangement()) {
      case SceneArrangement::Points:
        return;
      case SceneArrangement::Planes:
        if (sharedPlanes == 1 && registerPlanes == 0 && (layout_.hasWindows() || isTile(*tile))) {
          model_.title = tileText(*tile);
        } else if (sharedPlanes > 0 && registerPlanes > 0) {
          model_.title = trf("{} in shared memory, {} in registers", planesText(sharedPlanes), spelled(registerPlanes));
        } else if (sharedPlanes > 0) {
          model_.title = trf("{} in shared memory", planesText(sharedPlanes));
        } else if (registerPlanes > 0) {
          model_.title = trf("{} in registers", planesText(registerPlanes));
        }
        break;
      case SceneArrangement::Flat:
        if (tile == nullptr) {
          model_.title = tr("values kept in registers");
          return;
        }
        model_.title = tileText(*tile);
        break;
    }
    const auto fromGlobal = [&](SceneColour colour) {
      if (layout_.arrangement() == SceneArrangement::Planes) return readsDirectly(colour);
      return std::any_of(model_.boxes.begin(), model_.boxes.end(), [&](const SceneBox& box) {
        return box.kind == SceneSource::Kind::Input && box.colour == colour;
      });
    };
    const auto ofCluster = [](const PointView& point) { return point.rank != kNone; };
    if (std::ranges::any_of(subject_.view.inputs, ofCluster)) {
      model_.title = trf("{}, halo also from other blocks of the cluster", model_.title);
    } else if (fromGlobal(SceneColour::Interior)) {
      model_.title = trf("{}, the rest read from global memory", model_.title);
    } else if (fromGlobal(SceneColour::Halo)) {
      model_.title = trf("{}, halo read from global memory", model_.title);
    }
  }

 private:
  void addSlotLabel(std::uint32_t c, std::size_t slot) {
    const Carrier& carrier = subject_.carriers[c];
    const CarrierView& view = subject_.view.carriers[c];
    SceneLabel label;
    const bool several = layout_.slotsOf(c) > 1;
    // An array that threads index by hand has no index of its planes.
    const bool indexed = several && carrier.extents.size() > 1;
    label.text = indexed ? slotName(carrier, slot) : slot == 0 ? carrier.name : std::string();
    label.detail = carrier.kind == Carrier::Kind::SharedArray ? tr("shared") : tr("registers");
    label.around = around(layout_.slotSpot(c, slot), layout_.low(), layout_.high());
    label.inside = layout_.arrangement() == SceneArrangement::Planes;
    label.face = layout_.frontOf(c, slot);
    label.faceOnly = several;
    // Shared arrays lie in front of them.
    if (label.inside && layout_.bench().boards().size() > 1 && carrier.kind == Carrier::Kind::Register) {
      label.side = SceneLabel::Side::Right;
    }
    if (label.inside && !layout_.isFlat()) {
      label.held = heldText(c, slot, view);
      if (isWritten(c, slot, view)) {
        label.heldBefore = heldText(c, slot, before().carriers[c]);
        label.earlier = label.detail + planeText(c, slot, before().carriers[c]);
      }
      label.detail += planeText(c, slot, view);
    }
    if (slot == 0) label.detail += flightText(view);
    label.colour = colourOf(Role::Interior, subject_.facts.carriers[c].place);
    model_.labels.push_back(label);
  }

  /// "tile_s[1]"; of an array with axes before its planes' too, "tile_s[1][0]".
  [[nodiscard]] static std::string slotName(const Carrier& carrier, std::size_t slot) {
    std::string name;
    for (std::size_t axis = carrier.extents.size() - 2; axis-- > 0;) {
      const auto extent = static_cast<std::size_t>(std::max<std::int64_t>(carrier.extents[axis], 1));
      name = fmt::format("[{}]{}", slot % extent, name);
      slot /= extent;
    }
    return carrier.name + name;
  }

  /// The plane of the grid that a slot holds: of most of its cells that hold a copy.
  [[nodiscard]] std::optional<std::int64_t> planeIn(std::uint32_t c, std::size_t slot, const CarrierView& view) const {
    if (layout_.slotsOf(c) == 1) return view.placed ? std::optional(view.offset.z) : std::nullopt;
    std::map<std::int64_t, std::size_t> counts;
    for (const recording::CarrierCell& cell : view.cells) {
      const bool copy = cell.cell.origin.kind == recording::Origin::Kind::Element && cell.placed;
      if (copy && layout_.slotOf(c, cell.index) == slot) ++counts[cell.at.z];
    }
    const auto most = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
    return most == counts.end() ? std::nullopt : std::optional(most->first);
  }
  /// "i = 21"
  [[nodiscard]] std::string heldText(std::uint32_t c, std::size_t slot, const CarrierView& view) const {
    const auto plane = planeIn(c, slot, view);
    return plane ? fmt::format("{} = {}", subject_.facts.axis, *plane) : std::string();
  }
  /// ", i = 21"
  [[nodiscard]] std::string planeText(std::uint32_t c, std::size_t slot, const CarrierView& view) const {
    const auto plane = planeIn(c, slot, view);
    return plane ? trf(", {} = {}", subject_.facts.axis, *plane) : tr(", empty");
  }
  [[nodiscard]] bool isWritten(std::uint32_t c, std::size_t slot, const CarrierView& view) const {
    return std::ranges::any_of(view.cells, [&](const recording::CarrierCell& cell) {
      return cell.changed && layout_.slotOf(c, cell.index) == slot;
    });
  }
  /// The block before the step.
  [[nodiscard]] const recording::BlockView& before() {
    if (!before_) {
      recording::Cursor cursor = subject_.cursor;
      cursor.step(-1);
      before_ = recording::viewBlock(cursor, subject_.footprint, subject_.carriers);
    }
    return *before_;
  }
  /// Outputs that were written before the step, whose own are on their way.
  [[nodiscard]] std::size_t writtenBefore() {
    if (std::ranges::none_of(subject_.view.outputs, &PointView::active)) { return subject_.view.outputsWritten; }
    return before().outputsWritten;
  }
  /// An array of several planes, which no rotation moves.
  [[nodiscard]] static bool isTile(const Carrier& carrier) { return carrier.extents.size() > 2; }
  /// "16 × 16 tile in shared memory"
  [[nodiscard]] static std::string tileText(const Carrier& tile) {
    return tile.extents.size() == 1
               ? trf("tile of {} elements in shared memory", grouped(static_cast<std::uint64_t>(tile.extents[0])))
               : trf("{} tile in shared memory", fmt::join(tile.extents, " × "));
  }
  /// Whether arithmetic reads points of a role from global memory itself.
  [[nodiscard]] bool readsDirectly(SceneColour colour) const {
    return std::ranges::any_of(subject_.view.inputs, [&](const PointView& point) {
      return subject_.facts.isDirect(point.element) && colourOf(point.role, RotationPlace::None) == colour;
    });
  }
  [[nodiscard]] bool usesSharedMemory() const {
    return std::ranges::any_of(subject_.cursor.recording().program->objects,
                               [](const auto& object) { return object.space == MemorySpace::Shared; });
  }

  /// Of the planes of the input those of which copies lie on the bench, by their role in a rotation if they have one.
  void addPlaneLabels() {
    const auto rank = [](RotationPlace place) {
      return place == RotationPlace::Current ? 2 : place == RotationPlace::None ? 0 : 1;
    };
    std::map<std::int64_t, RotationPlace> held;
    for (const std::uint32_t c : layout_.carriers()) {
      const RotationPlace place = subject_.facts.carriers[c].place;
      for (std::size_t slot = 0; slot < layout_.slotsOf(c); ++slot) {
        const auto plane = planeIn(c, slot, subject_.view.carriers[c]);
        if (!plane) continue;
        RotationPlace& of = held.try_emplace(*plane, place).first->second;
        if (rank(place) > rank(of)) of = place;
      }
    }
    for (const auto& [z, place] : held) {
      SceneLabel label;
      label.detail = coordinate(z);
      label.row = true;
      label.current = place == RotationPlace::Current || !subject_.facts.rotates;
      label.colour = colourOf(Role::Interior, place);
      label.around = around(layout_.inputSpot(z), layout_.low(), layout_.high());
      model_.labels.push_back(label);
    }
  }

  [[nodiscard]] std::array<glm::vec3, 4> aroundOutput(const SceneSpot& spot) const {
    GridPoint low = layout_.fold()(subject_.view.outputs.front().at), high = low;
    for (const PointView& point : subject_.view.outputs) {
      const GridPoint at = layout_.fold()(point.at);
      low.y = std::min(low.y, at.y);
      low.x = std::min(low.x, at.x);
      high.y = std::max(high.y, at.y);
      high.x = std::max(high.x, at.x);
    }
    return around(spot, low, high);
  }

  [[nodiscard]] std::array<glm::vec3, 4> around(const SceneSpot& spot, const GridPoint& low,
                                                const GridPoint& high) const {
    const auto corner = [&](std::int64_t y, std::int64_t x) { return layout_.placeFolded(spot, {0, y, x}); };
    return {corner(low.y, low.x), corner(low.y, high.x + 1), corner(high.y + 1, high.x + 1), corner(high.y + 1, low.x)};
  }

  /// The index at which each row of a folded array begins; of many rows, of some.
  void addRowLabels() {
    const SceneFold& fold = layout_.fold();
    if (layout_.isStrip() || fold.columns == 0 || subject_.view.outputs.empty()) return;
    constexpr std::int64_t kMostLabels = 8;
    const GridPoint first = fold(subject_.view.outputs.front().at);
    const std::int64_t last = fold.bandOf(subject_.view.outputs.back().at.x);
    const std::int64_t begin = fold.bandOf(subject_.view.outputs.front().at.x);
    const std::int64_t every = (last - begin + kMostLabels) / kMostLabels;
    for (std::int64_t band = begin; band <= last; band += every) {
      SceneLabel label;
      const std::string index = std::to_string(fold.first + band * fold.columns);
      label.detail = "x = " + index + warpsOf(band);
      label.row = true;
      const std::int64_t y = first.y + (band - begin) * fold.stride;
      const std::int64_t left = band == fold.firstBand ? std::min<std::int64_t>(layout_.low().x, 0) : 0;
      label.around = around(layout_.inputSpot(layout_.low().z), {0, y, left}, {0, y, fold.columns - 1});
      model_.labels.push_back(label);
    }
  }

  /// ", warp 3": those that compute a band's outputs.
  [[nodiscard]] std::string warpsOf(std::int64_t band) const {
    std::size_t low = kNone;
    std::size_t high = 0;
    const auto& homes = subject_.facts.homes;
    for (std::size_t thread = 0; thread < homes.size(); ++thread) {
      if (!homes[thread].output || layout_.fold().bandOf(homes[thread].output->x) != band) continue;
      low = std::min(low, thread / kWarpSize);
      high = std::max(high, thread / kWarpSize);
    }
    if (low > high) return "";
    return low == high ? trf(", warp {}", low) : trf(", warps {}–{}", low, high);
  }

  [[nodiscard]] std::string coordinate(std::int64_t z) const { return subject_.facts.axis + " = " + std::to_string(z); }

  SceneModel& model_;
  const SceneSubject& subject_;
  const SceneLayout& layout_;
  std::optional<recording::BlockView> before_;  ///< once it was asked for
};

}  // namespace

void addWords(SceneModel& model, const SceneSubject& subject, const SceneLayout& layout) {
  WordFinder finder(model, subject, layout);
  finder.addLabels();
  finder.addLetterings();
  finder.addLegend();
  finder.addTitle();
}

}  // namespace haloscope::render
