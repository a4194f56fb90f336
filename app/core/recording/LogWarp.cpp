#include "recording/LogWarp.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <functional>
#include <ranges>
#include <utility>

#include "language/Text.h"
#include "program/AccessedObjects.h"
#include "recording/LogAssignments.h"
#include "recording/LogValues.h"

namespace haloscope::recording {

namespace {

class WarpReader {
 public:
  WarpReader(const WarpSources& sources, std::uint32_t warp)
      : program_(sources.program),
        placed_(sources.placed),
        sites_(sources.sites),
        places_(sources.places),
        locations_(sources.locations),
        warp_(warp),
        first_(warp * kWarpSize),
        count_(std::min<std::uint32_t>(kWarpSize, static_cast<std::uint32_t>(sources.streams.size()) - first_)),
        streams_(sources.streams.subspan(first_, count_)),
        lanes_(count_),
        actions_(program_, placed_, sites_, places_),
        assignments_(placed_, sites_, places_),
        accessedBy_(sites_.size(), {kNone, {}}) {}

  LogWarp read() {
    begin();
    try {
      while (true) {
        const LaneMask ready = choose();
        if (ready != 0) {
          step(ready);
        } else if (!release()) {
          break;
        }
      }
    } catch (const LogError& error) {
      done_.accesses.resize(done_.steps.empty() ? 0 : done_.steps.back().accessesEnd);
      done_.shuffles.resize(done_.steps.empty() ? 0 : done_.steps.back().shufflesEnd);
      done_.writes.resize(done_.steps.empty() ? 0 : done_.steps.back().writesEnd);
      done_.actions.resize(done_.steps.empty() ? 0 : done_.steps.back().actionsEnd);
      done_.clusterAccesses.resize(done_.steps.empty() ? 0 : done_.steps.back().clusterEnd);
      done_.problem = error.what();
    }
    return std::move(done_);
  }

 private:
  struct Lane {
    std::size_t unit = 0;              ///< the next one
    std::vector<std::uint32_t> turns;  ///< of the loops around it, as ProgramPlaces::loops has them
    bool waiting = false;
  };
  /// What the lanes accessed with one instruction, by lane.
  struct Group {
    AccessGroup access;
    std::array<std::int64_t, kWarpSize> element{};
    std::array<std::uint64_t, kWarpSize> value{};
    std::array<CopySource, kWarpSize> source{};  ///< of a copy that is issued
  };

  void begin() {
    if (count_ < kWarpSize) { exited_ = kAllLanes << count_; }
    std::size_t accesses = 0, writes = 0;
    for (std::uint32_t lane = 0; lane < count_; ++lane) {
      const LogStream& stream = streams_[lane];
      const bool empty = stream.units.empty();
      done_.stepsOf.emplace_back(empty ? 0 : stream.units.back().statements, kNone);
      if (empty) { exited_ |= LaneMask{1} << lane; }
      if (!empty) { enterLoops(lane, kNone); }
      for (const LogEntry& entry : stream.entries) {
        accesses += entry.kind != LogKind::Variable && entry.kind != LogKind::Lane;
        writes += entry.kind != LogKind::Load && entry.kind != LogKind::Lane;
      }
    }
    done_.exitedAtFirst = exited_;
    done_.elements.reserve(accesses);
    done_.values.reserve(accesses);
    done_.writes.reserve(writes);
  }

  [[nodiscard]] bool ended(std::uint32_t lane) const { return lanes_[lane].unit >= streams_[lane].units.size(); }
  [[nodiscard]] const LogUnit& unit(std::uint32_t lane) const { return streams_[lane].units[lanes_[lane].unit]; }

  /// Counts the turns of the loops around a lane's next statement, coming from another one.
  void enterLoops(std::uint32_t lane, std::uint32_t from) {
    Lane& state = lanes_[lane];
    const std::uint32_t to = unit(lane).instruction;
    const std::vector<std::uint32_t>& now = places_.loops(to);
    std::size_t common = 0;
    if (from != kNone) {
      const std::vector<std::uint32_t>& before = places_.loops(from);
      while (common < now.size() && common < before.size() && now[common] == before[common]) { ++common; }
    }
    state.turns.resize(now.size());
    for (std::size_t i = common; i < now.size(); ++i) { state.turns[i] = 0; }
    if (from != kNone && to <= from && common > 0) { ++state.turns[common - 1]; }
  }

  /// Whether one lane comes before another: as structured code has it, lanes that left an iteration early
  /// wait for the others.
  [[nodiscard]] int compare(std::uint32_t a, std::uint32_t b) const {
    const std::uint32_t atA = unit(a).instruction, atB = unit(b).instruction;
    const std::vector<std::uint32_t>&loopsA = places_.loops(atA), &loopsB = places_.loops(atB);
    for (std::size_t i = 0; i < loopsA.size() && i < loopsB.size() && loopsA[i] == loopsB[i]; ++i) {
      if (lanes_[a].turns[i] != lanes_[b].turns[i]) { return lanes_[a].turns[i] < lanes_[b].turns[i] ? -1 : 1; }
    }
    return atA == atB ? 0 : atA < atB ? -1 : 1;
  }

  /// The lanes that go on next, together; 0: none can.
  LaneMask choose() {
    LaneMask ready = 0;
    best_ = kNone;
    for (std::uint32_t lane = 0; lane < count_; ++lane) {
      if (lanes_[lane].waiting || ended(lane)) { continue; }
      const int order = best_ == kNone ? -1 : compare(lane, best_);
      if (order < 0) {
        best_ = lane;
        ready = 0;
      }
      if (order <= 0) { ready |= LaneMask{1} << lane; }
    }
    return ready;
  }

  /// The block passes a barrier. False if no lane waits for one.
  bool release() {
    bool any = false;
    for (Lane& lane : lanes_) { any = std::exchange(lane.waiting, false) || any; }
    waiting_ = 0;
    ++interval_;
    return any;
  }

  void step(LaneMask ready) {
    const LogUnit& first = unit(best_);
    const std::uint32_t instruction = first.instruction, end = places_.end(instruction);
    const std::uint32_t clock = first.clock;
    bool barrier = false;
    for (std::uint32_t i = instruction; i < end; ++i) {
      const Instruction& one = program_.code[i];
      barrier = barrier || (one.op == Opcode::Barrier && barrierKind(one) != BarrierKind::ClusterArrive);
    }
    if (barrier) { waiting_ |= ready; }
    entries(ready);
    WarpStep& step = done_.steps.emplace_back();
    step.instruction = instruction;
    step.clock = clock;
    step.interval = interval_;
    step.active = ready;
    step.waiting = waiting_;
    step.exited = exited_;
    step.accessesEnd = static_cast<std::uint32_t>(done_.accesses.size());
    step.shufflesEnd = static_cast<std::uint32_t>(done_.shuffles.size());
    step.writesEnd = static_cast<std::uint32_t>(done_.writes.size());
    step.actionsEnd = static_cast<std::uint32_t>(done_.actions.size());
    step.clusterEnd = static_cast<std::uint32_t>(done_.clusterAccesses.size());
    advance(ready, barrier);
    step.waitingAfter = waiting_;
    step.exitedAfter = exited_;
  }

  void advance(LaneMask ready, bool barrier) {
    const auto last = static_cast<std::uint32_t>(done_.steps.size() - 1);
    for (LaneMask lanes = ready; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
      const LogUnit& done = unit(lane);
      // A unit after a call has no entry of its own.
      if (done.statements > 0 && done_.stepsOf[lane][done.statements - 1] == kNone) {
        done_.stepsOf[lane][done.statements - 1] = last;
      }
      const std::uint32_t from = done.instruction;
      ++lanes_[lane].unit;
      if (ended(lane)) {
        // Lanes that reach the end wait there for the others of their warp; those that return are gone at once.
        waiting_ &= ~(LaneMask{1} << lane);
        if (returns(from)) { exited_ |= LaneMask{1} << lane; }
      } else {
        enterLoops(lane, from);
        lanes_[lane].waiting = barrier;
      }
    }
    const bool over =
        std::ranges::all_of(std::views::iota(0U, count_), [&](std::uint32_t lane) { return ended(lane); });
    if (over) { exited_ = kAllLanes; }
  }

  /// Whether the statement at an instruction leaves the kernel.
  [[nodiscard]] bool returns(std::uint32_t instruction) const {
    const Statement& statement = program_.statements[program_.code[instruction].aux];
    return statement.kind == StatementKind::Return && statement.function == 0;
  }

  void entries(LaneMask ready) {
    groupCount_ = 0;
    shuffles_.clear();
    const std::size_t firstWrite = done_.writes.size(), firstAction = done_.actions.size();
    for (LaneMask lanes = ready; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
      const LogUnit& now = unit(lane);
      actions_.enter(kNone);
      for (std::uint32_t i = 0; i < now.entryCount; ++i) {
        entry(lane, now.instruction, streams_[lane].entries[now.firstEntry + i]);
      }
    }
    // Most steps have one access or one assignment a lane: a sort would only fetch memory to work in.
    const std::span<Group> groups(groups_.data(), groupCount_);
    const auto instructionOf = [](const Group& group) { return group.access.instruction; };
    // A bulk copy goes round a loop: its parts are in order already.
    const bool copies =
        std::ranges::any_of(groups, [&](const Group& group) { return actions_.copies(group.access.instruction); });
    if (!copies && !std::ranges::is_sorted(groups, {}, instructionOf)) {
      std::ranges::stable_sort(groups, {}, instructionOf);
    }
    for (const Group& group : groups) { keep(group); }
    shuffles_.resolve(program_, done_.shuffles);
    const std::span<WarpWrite> writes = std::span(done_.writes).subspan(firstWrite);
    if (!std::ranges::is_sorted(writes, {}, &WarpWrite::instruction)) {
      std::ranges::stable_sort(writes, {}, &WarpWrite::instruction);
    }
    std::ranges::stable_sort(std::span(done_.actions).subspan(firstAction), {}, &WarpAction::instruction);
  }

  void keep(const Group& group) {
    const bool issued = program_.code[group.access.instruction].async;
    const auto firstSource = issued ? static_cast<std::uint32_t>(done_.sources.size()) : kNone;
    done_.accesses.push_back({group.access, static_cast<std::uint32_t>(done_.elements.size()), firstSource});
    for (LaneMask lanes = group.access.lanes; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
      done_.elements.push_back(group.element[lane]);
      done_.values.push_back(group.value[lane]);
      if (issued) { done_.sources.push_back(group.source[lane]); }
    }
  }

  void entry(std::uint32_t lane, std::uint32_t begin, const LogEntry& entry) {
    if (entry.kind == LogKind::Primitive) { return primitive(lane, begin, entry); }
    const LogSite& site = sites_[entry.site];
    switch (entry.kind) {
      case LogKind::Library:
        actions_.enter(entry.site);
        return;
      case LogKind::Load:
      case LogKind::Store:
        return access(lane, begin, entry, site);
      case LogKind::Atomic:
        return atomic(lane, begin, entry, site);
      case LogKind::Variable:
        return variable(lane, begin, entry, site);
      case LogKind::Lane:
        return shuffle(lane, begin, entry, site);
      default:
        return;
    }
  }

  /// The instructions of a unit at a source position: all its loads, stores, atomics or shuffles.
  const std::vector<std::uint32_t>& instructions(std::uint32_t begin, const LogEntry& entry, const LogSite& site) {
    auto& [of, list] = accessedBy_[entry.site];
    if (of == begin) { return list; }
    of = begin;
    list.clear();
    for (std::uint32_t i = begin; i < places_.end(begin); ++i) {
      const Instruction& one = placed_.code[i];
      const bool kind = entry.kind == LogKind::Load    ? one.op == Opcode::Load
                        : entry.kind == LogKind::Store ? one.op == Opcode::Store
                        : entry.kind == LogKind::Lane  ? one.op == Opcode::Shuffle
                                                       : isAtomic(one.op);
      if (!kind || actions_.copies(i)) { continue; }
      const ObjectId object = accessedObject(one);
      const bool here = site.name.empty() ? one.range == site.range
                                          : object != kNone && placed_.objects[object].declared == site.declared &&
                                                placed_.objects[object].name == site.name;
      if (here) { list.push_back(i); }
    }
    const auto same = [&](const Instruction& one) {
      return (isAccess(one.op) || one.op == Opcode::Shuffle) && one.range == site.range;
    };
    if (list.empty() && places_.comesLater(begin, same)) { throw skippedCall(site); }
    return list;
  }

  void access(std::uint32_t lane, std::uint32_t begin, const LogEntry& entry, const LogSite& site) {
    const std::vector<std::uint32_t>& all = instructions(begin, entry, site);
    if (all.empty() || entry.payload.size() < 3) { throw unknownAccess(site); }
    const std::uint64_t address = word64(entry.payload, 0);
    const std::span<const std::uint32_t> words = entry.payload.subspan(2);
    Scalars scalars(words);
    // An element is read by one instruction, but where the text reads it twice in a row; a struct by one a scalar.
    const bool whole =
        all.size() > 1 && words.size_bytes() > static_cast<std::size_t>(sizeInMemory(program_.code[all.front()].type));
    const std::size_t count = whole ? all.size() : 1;
    for (std::size_t i = 0; i < count; ++i) {
      const Instruction& instruction = program_.code[all[i]];
      std::uint64_t bits = lowBytes(scalars.alone(), sizeInMemory(instruction.type));
      std::uint64_t offset = 0;
      if (whole) {
        const auto next = scalars.next(instruction.type);
        if (!next) { break; }
        bits = *next;
        offset = scalars.offset();
      }
      if (instruction.type == ValueType::Pointer) { bits = locations_.pointer(first_ + lane, bits); }
      touch(lane, all[i], address + offset, bits, entry.kind == LogKind::Store);
    }
  }

  void atomic(std::uint32_t lane, std::uint32_t begin, const LogEntry& entry, const LogSite& site) {
    const std::vector<std::uint32_t>& all = instructions(begin, entry, site);
    if (all.empty()) { throw unknownAccess(site); }
    const Instruction& instruction = program_.code[all.front()];
    const std::size_t words = sizeInMemory(instruction.type) == 8 ? 2 : 1;
    if (entry.payload.size() < 2 + 2 * words) { throw unknownAccess(site); }
    const auto value = [&](std::size_t index) {
      const std::size_t at = 2 + index * words;
      return at + words > entry.payload.size() ? 0 : words == 2 ? word64(entry.payload, at) : entry.payload[at];
    };
    touch(lane, all.front(), word64(entry.payload, 0), leftBy(instruction, value(0), value(1), value(2)), true);
  }

  // --- asynchronous copies and barriers in shared memory

  void primitive(std::uint32_t lane, std::uint32_t begin, const LogEntry& entry) {
    if (static_cast<LogPrimitive>(entry.site) != LogPrimitive::Copy) {
      if (const auto action = actions_.action(lane, begin, entry)) { done_.actions.push_back(*action); }
      return;
    }
    for (const CopyPart& part : actions_.parts(begin, entry)) {
      CopySource source;
      if (part.load != kNone) { source = touch(lane, part.load, part.from, part.bits, false); }
      const LogPlaces::Element there = placeOf(lane, part.store, part.to);
      Group& group = groupFor(lane, part.store, there.object, program_.objects[there.object].space, true);
      group.access.lanes |= LaneMask{1} << lane;
      group.element[lane] = there.byteOffset / sizeInMemory(program_.code[part.store].type);
      group.value[lane] = part.bits;
      group.source[lane] = source;
    }
  }

  /// What an instruction accesses at an address that a log has: all of it is within an array that it may access so.
  [[nodiscard]] LogPlaces::Element placeOf(std::uint32_t lane, std::uint32_t index, std::uint64_t address) const {
    const Instruction& instruction = program_.code[index];
    const auto at = locations_.element(first_ + lane, address, sizeInMemory(instruction.type));
    const MemorySpace space = at ? program_.objects[at->object].space : MemorySpace::Constant;
    const bool may = instruction.async ? space == MemorySpace::Shared || space == MemorySpace::Global
                                       : space != MemorySpace::Constant || !writesMemory(instruction.op);
    if (!at || !may) {
      char where[24];
      std::snprintf(where, sizeof where, "0x%llx", static_cast<unsigned long long>(address));
      throw LogError(tr("the access to ") + std::string(where) + tr(" at line ") +
                     std::to_string(instruction.range.line) + tr(" is outside every array"));
    }
    return *at;
  }

  CopySource touch(std::uint32_t lane, std::uint32_t index, std::uint64_t address, std::uint64_t bits, bool store) {
    const Instruction& instruction = program_.code[index];
    const std::uint32_t thread = first_ + lane;
    const LogPlaces::Element at = placeOf(lane, index, address);
    const MemoryObject& object = program_.objects[at.object];
    // As the emulator numbers them: in elements of what is accessed, whatever the array was declared as.
    const std::int64_t element = at.byteOffset / sizeInMemory(instruction.type);
    if (at.rank != kNone) {
      done_.clusterAccesses.push_back({0, index, thread, at.rank, at.object, element, bits, {}});
      return {at.object, element};
    }
    Group& group = groupFor(lane, index, at.object, object.space, store);
    group.access.lanes |= LaneMask{1} << lane;
    group.element[lane] = element;
    group.value[lane] = bits;
    if (!store) { return {at.object, element}; }
    WarpWrite& made = done_.writes.emplace_back();
    made.instruction = index;
    made.source = instruction.op == Opcode::Store ? WarpWrite::Source::Stored : WarpWrite::Source::Unknown;
    made.write.kind = Change::Kind::Global;  // or other memory
    made.write.id = at.object;
    made.write.index = element;
    made.write.bits = bits;
    made.write.thread = thread;
    return {at.object, element};
  }

  void shuffle(std::uint32_t lane, std::uint32_t begin, const LogEntry& entry, const LogSite& site) {
    const std::vector<std::uint32_t>& all = instructions(begin, entry, site);
    if (all.empty() || entry.payload.empty() || site.field >= LogShuffles::kFields) { throw unknownAccess(site); }
    shuffles_.argument(lane, all.front(), site.field, entry.payload[0]);
  }

  Group& groupFor(std::uint32_t lane, std::uint32_t index, ObjectId object, MemorySpace space, bool store) {
    for (Group& group : std::span(groups_.data(), groupCount_)) {
      if (group.access.instruction == index && group.access.object == object &&
          (group.access.lanes >> lane & 1U) == 0) {
        return group;
      }
    }
    // What an earlier step left in it stays: only elements and values of its lanes count.
    if (groupCount_ == groups_.size()) { groups_.emplace_back(); }
    Group& group = groups_[groupCount_++];
    group.access = {};
    group.access.instruction = index;
    group.access.warp = warp_;
    group.access.object = object;
    group.access.space = space;
    group.access.store = store;
    return group;
  }

  // --- variables

  void variable(std::uint32_t lane, std::uint32_t begin, const LogEntry& entry, const LogSite& site) {
    const std::vector<LogAssignment>& all = assignments_.of(begin, entry, site);
    Scalars scalars(entry.payload);
    const auto typeOf = [&](const LogAssignment& one) {
      return program_.registers[program_.variables[one.variable].reg].type;
    };
    const bool whole =
        all.size() > 1 && entry.payload.size_bytes() > static_cast<std::size_t>(sizeInRegister(typeOf(all.front())));
    const std::size_t count = whole ? all.size() : std::min<std::size_t>(all.size(), 1);
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t bits = scalars.alone();
      if (whole) {
        const auto next = scalars.next(typeOf(all[i]));
        if (!next) { break; }
        bits = *next;
      }
      if (typeOf(all[i]) == ValueType::Pointer) { bits = locations_.pointer(first_ + lane, bits); }
      // A narrow value lies in a register of 32 bits, extended by its sign.
      const std::uint32_t at = all[i].instruction;
      WarpWrite& made = done_.writes.emplace_back();
      made.instruction = at == kNone ? begin : at;
      made.source = at == kNone ? WarpWrite::Source::Unknown : WarpWrite::Source::Instruction;
      made.write.kind = Change::Kind::Variable;
      made.write.id = all[i].variable;
      made.write.index = made.write.thread = first_ + lane;
      made.write.bits = lowBytes(bits, sizeInRegister(typeOf(all[i])));
    }
  }

  const Program& program_;
  const Program& placed_;
  const std::vector<LogSite>& sites_;
  const ProgramPlaces& places_;
  const LogPlaces& locations_;
  std::uint32_t warp_, first_, count_;  ///< its threads
  std::span<const LogStream> streams_;  ///< of its lanes
  std::vector<Lane> lanes_;
  LaneMask waiting_ = 0, exited_ = 0;
  std::uint32_t best_ = kNone;  ///< a lane of those chosen
  std::uint32_t interval_ = 0;
  LogActions actions_;
  LogAssignments assignments_;
  // Of each site, what it was last: the same for all lanes of a step.
  std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> accessedBy_;
  std::vector<Group> groups_;  ///< of the step: the first groupCount_ of them
  std::size_t groupCount_ = 0;
  LogShuffles shuffles_;  ///< of the step
  LogWarp done_;
};

}  // namespace

LogWarp readWarp(const WarpSources& sources, std::uint32_t warp) { return WarpReader(sources, warp).read(); }

}  // namespace haloscope::recording
