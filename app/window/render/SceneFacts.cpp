#include "render/SceneFacts.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <set>
#include <span>

#include "program/RealBits.h"
#include "recording/Cursor.h"
#include "recording/StepWrites.h"

namespace haloscope::render {

using recording::AccessGroup;
using recording::Carrier;
using recording::Change;
using recording::Cursor;
using recording::Footprint;
using recording::GridPoint;
using recording::Origin;
using recording::Recording;

namespace {

/// Some of the input elements that a block reads, by where they lie in the box around all of them.
class ElementSet {
 public:
  explicit ElementSet(const Footprint& footprint)
      : footprint_(footprint),
        rows_(footprint.highest.y - footprint.lowest.y + 1),
        columns_(footprint.highest.x - footprint.lowest.x + 1),
        members_(static_cast<std::size_t>((footprint.highest.z - footprint.lowest.z + 1) * rows_ * columns_)) {}

  void insert(std::int64_t element) {
    // Only what the block reads has a place; a value that came some other way is not missed.
    if (const std::size_t index = indexOf(element); index < members_.size()) members_[index] = 1;
  }
  [[nodiscard]] bool contains(std::int64_t element) const {
    const std::size_t index = indexOf(element);
    return index < members_.size() && members_[index] != 0;
  }

 private:
  [[nodiscard]] std::size_t indexOf(std::int64_t element) const {
    const GridPoint at = footprint_.point(element);
    const GridPoint& low = footprint_.lowest;
    return static_cast<std::size_t>(((at.z - low.z) * rows_ + at.y - low.y) * columns_ + at.x - low.x);
  }

  const Footprint& footprint_;
  std::int64_t rows_, columns_;
  std::vector<char> members_;
};

/// The facts are found in one walk through the recording.
class Finder {
 public:
  Finder(const std::shared_ptr<const Recording>& recording, const Footprint& footprint,
         const std::vector<Carrier>& carriers)
      : recording_(*recording),
        footprint_(footprint),
        carriers_(carriers),
        cursor_(recording),
        used_(footprint),
        direct_(footprint) {}

  SceneFacts find() {
    const Program& program = *recording_.program;
    facts_.carriers.resize(carriers_.size());
    facts_.homes.resize(recording_.threadCount());
    outputsOf_.resize(facts_.homes.size());
    for (std::size_t c = 0; c < carriers_.size(); ++c) {
      facts_.carriers[c].shape = recording::GridShape(carriers_[c].extents);
    }
    for (StatementId s = 0; s < program.statements.size(); ++s) {
      const auto code = recording::codeOf(program, s);
      facts_.arithmetic.push_back(
          std::any_of(code.begin(), code.end(), [](const Instruction& i) { return floatingOperations(i) > 0; }));
    }
    const auto planes = carrierPlanes(recording_, footprint_, carriers_);
    for (std::size_t c = 0; c < planes.size(); ++c) {
      static_cast<recording::CarrierPlane&>(facts_.carriers[c]) = planes[c];
      facts_.rotates = facts_.rotates || planes[c].place != RotationPlace::None;
    }
    constexpr std::size_t kSamples = 16;
    const std::size_t every = recording_.steps.size() / kSamples + 1;
    strides_.resize(carriers_.size());
    for (std::size_t step = 0; step < recording_.steps.size(); ++step) {
      cursor_.goTo(step);  // the state that the step finds
      if (step % every == every - 1) visitStrides();
      visitAccesses(step);
      visitChanges(step);
      visitSums(step);
      if (facts_.arithmetic[recording_.steps[step].statement] != 0) visitArithmetic(step);
    }
    for (std::size_t c = 0; c < carriers_.size(); ++c) {
      facts_.carriers[c].slots = recording::PlaneSlots(carriers_[c], strides_[c]);
    }
    facts_.tally = recording::BlockTally(recording_);
    findRange();
    findAxis();
    findUnused();
    findGhosts();
    std::copy_if(footprint_.loads.begin(), footprint_.loads.end(), std::back_inserter(facts_.direct),
                 [&](std::int64_t element) { return direct_.contains(element); });
    return std::move(facts_);
  }

 private:
  /// How arrays of one axis keep planes: a ring shows it whenever it begins with its oldest.
  void visitStrides() {
    for (std::size_t c = 0; c < carriers_.size(); ++c) {
      if (carriers_[c].kind != Carrier::Kind::SharedArray || strides_[c]) continue;
      strides_[c] = recording::planeStride(footprint_, carriers_[c], cursor_.shared(carriers_[c].id));
    }
  }

  /// Finds the home of each thread.
  void visitAccesses(std::size_t step) {
    for (const AccessGroup& group : recording_.accessesOf(step)) {
      const bool output = group.store && group.object == footprint_.output;
      const bool input = !group.store && group.object == footprint_.input;
      if (!output && !input) continue;
      std::uint32_t entry = group.first;
      for (LaneMask lanes = group.lanes; lanes != 0; lanes &= lanes - 1, ++entry) {
        const auto thread = group.warp * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(lanes));
        if (thread >= facts_.homes.size()) continue;
        auto& home = output ? facts_.homes[thread].output : facts_.homes[thread].input;
        const std::int64_t element = recording_.elements[entry];
        const GridPoint at = output ? outputPoint(footprint_, element) : footprint_.point(element);
        if (!home) home = at;
        if (!output) continue;
        ++outputsOf_[thread];
        auto& writes = facts_.homes[thread].writes;
        if (writes.empty() || writes.back().plane != at.z) writes.push_back({step, at.z});
      }
    }
  }

  /// Where carriers lie at first.
  void visitChanges(std::size_t step) {
    for (const Change& change : recording_.changesOf(step)) {
      if (change.originAfter.kind != Origin::Kind::Element || change.originAfter.object != footprint_.input) {
        continue;
      }
      const std::size_t target = carrierOf(change);
      if (target == carriers_.size()) continue;
      const GridPoint now = footprint_.point(change.originAfter.element);
      CarrierFacts& facts = facts_.carriers[target];
      if (facts.firstPlaces.size() <= static_cast<std::size_t>(change.index)) {
        facts.firstPlaces.resize(static_cast<std::size_t>(change.index) + 1);
      }
      auto& first = facts.firstPlaces[static_cast<std::size_t>(change.index)];
      if (!first) first = now;
      if (!facts.firstOffset) {
        const GridPoint inside = facts.shape.point(change.index);
        facts.firstOffset = now - inside;
      }
    }
  }

  /// Which variables a statement makes of themselves.
  void visitSums(std::size_t step) {
    const StatementId statement = recording_.steps[step].statement;
    if (facts_.arithmetic[statement] == 0) return;
    VariableId last = kNone;
    for (const Change& change : recording_.changesOf(step)) {
      if (change.kind != Change::Kind::Variable || change.id == last) continue;
      last = change.id;
      const Program& program = *recording_.program;
      const bool floating = isFloating(program.registers[program.variables[last].reg].type);
      const auto place = std::ranges::lower_bound(facts_.sums, last);
      if (!floating || change.originAfter.kind != Origin::Kind::Computed) continue;
      if (place != facts_.sums.end() && *place == last) continue;
      if (readsVariable(program, statement, last)) facts_.sums.insert(place, last);
    }
  }

  [[nodiscard]] std::size_t carrierOf(const Change& change) const {
    for (std::size_t c = 0; c < carriers_.size(); ++c) {
      const bool shared = carriers_[c].kind == Carrier::Kind::SharedArray;
      const auto kind = shared ? Change::Kind::Shared : Change::Kind::Variable;
      if (change.kind == kind && change.id == carriers_[c].id) return c;
    }
    return carriers_.size();
  }

  /// Which input elements arithmetic reads, whatever they were copied through.
  void visitArithmetic(std::size_t step) {
    const auto use = [&](const Origin& origin) {
      if (origin.kind == Origin::Kind::Element && origin.object == footprint_.input) used_.insert(origin.element);
    };
    for (const AccessGroup& group : recording_.accessesOf(step)) {
      if (group.store) continue;
      const auto count = static_cast<std::size_t>(std::popcount(group.lanes));
      const auto elements = std::span(recording_.elements).subspan(group.first, count);
      if (group.object == footprint_.input) {
        for (const std::int64_t element : elements) {
          used_.insert(element);
          direct_.insert(element);
        }
      }
      if (group.space != MemorySpace::Shared) continue;
      const auto& cells = cursor_.shared(group.object);
      for (const std::int64_t element : elements) {
        if (element >= 0 && static_cast<std::size_t>(element) < cells.size()) {
          use(cells[static_cast<std::size_t>(element)].origin);
        }
      }
    }
    for (const Carrier& carrier : carriers_) {
      if (carrier.kind != Carrier::Kind::Register) continue;
      if (!readsVariable(*recording_.program, recording_.steps[step].statement, carrier.id)) continue;
      const auto& cells = cursor_.variable(carrier.id);
      for (std::size_t thread = 0; thread < cells.size(); ++thread) {
        const LaneMask active = recording_.warpState(step, static_cast<std::uint32_t>(thread / kWarpSize)).active;
        if ((active >> (thread % kWarpSize) & 1U) != 0) use(cells[thread].origin);
      }
    }
  }

  void findRange() {
    double low = INFINITY;
    double high = -INFINITY;
    const Program& program = *recording_.program;
    for (const AccessGroup& group : recording_.accesses) {
      if (group.store || group.object != footprint_.input) continue;
      const ValueType type = program.objects[group.object].element;
      const auto count = static_cast<std::uint32_t>(std::popcount(group.lanes));
      for (std::uint32_t i = group.first; i < group.first + count; ++i) {
        const double value = numberOf(type, recording_.values[i]);
        if (!std::isfinite(value)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
      }
    }
    if (low <= high) {
      facts_.low = low;
      facts_.high = high;
    }
  }

  /// The plane loop's variable names the slowest coordinate if it equals that of every output written in its turn.
  void findAxis() {
    std::string name;
    for (const recording::Plane& plane : recording_.planes) {
      for (std::size_t step = plane.firstStep; step < plane.endStep; ++step) {
        for (const Change& change : recording_.changesOf(step)) {
          if (change.kind != Change::Kind::Global || change.id != footprint_.output) continue;
          if (plane.variable.empty() || outputPoint(footprint_, change.index).z != plane.value) return;
          name = plane.variable;
        }
      }
    }
    if (!name.empty()) facts_.axis = name;
  }

  void findUnused() {
    if (recording_.truncated || carriers_.empty()) return;  // what comes later may still read them
    for (const std::int64_t element : footprint_.loads) {
      if (!used_.contains(element)) facts_.unused.push_back(element);
    }
  }

  /// Each thread reads the points around its output, as far as they exist: together the threads know all offsets.
  void findGhosts() {
    const bool copies =
        std::ranges::any_of(carriers_, [](const Carrier& c) { return c.kind == Carrier::Kind::SharedArray; });
    if (copies || footprint_.input == kNone || footprint_.output == kNone) return;
    using Offset = std::array<std::int64_t, 3>;
    std::set<Offset> offsets;
    for (const AccessGroup& group : recording_.accesses) {
      if (group.store || group.object != footprint_.input) continue;
      std::uint32_t entry = group.first;
      for (LaneMask lanes = group.lanes; lanes != 0; lanes &= lanes - 1, ++entry) {
        const auto thread = group.warp * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(lanes));
        if (thread >= outputsOf_.size() || outputsOf_[thread] != 1) continue;  // of several, which one is it for?
        const GridPoint from = footprint_.point(recording_.elements[entry]);
        const GridPoint& home = *facts_.homes[thread].output;
        offsets.insert({from.z - home.z, from.y - home.y, from.x - home.x});
      }
    }
    std::set<Offset> ghosts;
    for (const recording::PointView& output : footprint_.outputPoints) {
      for (const auto& [z, y, x] : offsets) {
        const GridPoint at{output.at.z + z, output.at.y + y, output.at.x + x};
        if (footprint_.element(at) < 0) ghosts.insert({at.z, at.y, at.x});
      }
    }
    for (const auto& [z, y, x] : ghosts) { facts_.ghosts.push_back({z, y, x}); }
  }

  const Recording& recording_;
  const Footprint& footprint_;
  const std::vector<Carrier>& carriers_;
  Cursor cursor_;
  SceneFacts facts_;
  std::vector<std::optional<std::int64_t>> strides_;  ///< per carrier, see planeStride()
  std::vector<std::uint32_t> outputsOf_;              ///< per thread: how many outputs it writes
  ElementSet used_;                                   ///< input elements that arithmetic reads
  ElementSet direct_;                                 ///< those of them that it reads from global memory
};

}  // namespace

bool SceneFacts::isUnused(std::int64_t element) const {
  return std::binary_search(unused.begin(), unused.end(), element);
}

bool SceneFacts::isDirect(std::int64_t element) const {
  return std::binary_search(direct.begin(), direct.end(), element);
}

float SceneFacts::shade(ValueType type, std::uint64_t bits) const {
  if (high <= low) return 0.5F;
  const double value = numberOf(type, bits);
  return std::isfinite(value) ? static_cast<float>(std::clamp((value - low) / (high - low), 0.0, 1.0)) : 1.0F;
}

SceneFacts findSceneFacts(const std::shared_ptr<const Recording>& recording, const Footprint& footprint,
                          const std::vector<Carrier>& carriers) {
  return Finder(recording, footprint, carriers).find();
}

SceneColour colourOf(recording::Role role, RotationPlace place) {
  if (role == recording::Role::Interior) {
    return place == RotationPlace::Previous ? SceneColour::Previous
           : place == RotationPlace::Next   ? SceneColour::Next
                                            : SceneColour::Interior;
  }
  constexpr std::array kColours = {SceneColour::Interior,  SceneColour::Halo,     SceneColour::Ghost,
                                   SceneColour::Unwritten, SceneColour::Computed, SceneColour::Output,
                                   SceneColour::Pending};  // in the order of Role
  return kColours.at(static_cast<std::size_t>(role));
}

GridPoint outputPoint(const Footprint& footprint, std::int64_t element) {
  const auto found = std::lower_bound(footprint.outputs.begin(), footprint.outputs.end(), element);
  if (found == footprint.outputs.end() || *found != element) return {};
  return footprint.outputPoints[static_cast<std::size_t>(found - footprint.outputs.begin())].at;
}

std::vector<ThreadAccess> accessesOf(const Recording& recording, std::size_t step, std::uint32_t thread) {
  std::vector<ThreadAccess> accesses;
  const LaneMask lane = LaneMask{1} << (thread % kWarpSize);
  for (const AccessGroup& group : recording.accessesOf(step)) {
    if (group.warp != thread / kWarpSize || (group.lanes & lane) == 0) continue;
    const auto before = static_cast<std::uint32_t>(std::popcount(group.lanes & (lane - 1)));
    accesses.push_back({group.object, group.space, group.store, recording.elements[group.first + before]});
  }
  return accesses;
}

bool readsVariable(const Program& program, StatementId statement, VariableId variable) {
  const RegisterId reg = program.variables[variable].reg;
  for (const Instruction& instruction : recording::codeOf(program, statement)) {
    if (instruction.a == reg || instruction.b == reg || instruction.c == reg) return true;
  }
  return false;
}

}  // namespace haloscope::render
