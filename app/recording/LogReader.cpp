#include "recording/LogReader.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstring>
#include <optional>
#include <ranges>
#include <thread>
#include <utility>

#include "recording/LogOrigins.h"
#include "recording/LogPlaces.h"
#include "recording/LogStream.h"
#include "recording/LogValues.h"
#include "recording/RecordingBuilder.h"

namespace haloscope::recording {

namespace {

class Reader {
 public:
  Reader(const LoggedBlock& block, LogOrder order, LogIndex& index)
      : block_(block),
        program_(*block.program),
        order_(order),
        index_(index),
        steps_(index.steps),
        places_(*block.placed),
        threads_(block.launch->configuration.threadsPerBlock()),
        builder_(block.program, *block.launch, block.block, Recording::Source::Gpu),
        warps_(block.launch->configuration.warpsPerBlock()),
        arithmetic_(program_.code.size()),
        origins_(program_, builder_.state()),
        accesses_(block.sites->size(), {kNone, {}}),
        assignments_(block.sites->size(), {{kNone, kNone}, {}}) {
    for (std::size_t i = 0; i < arithmetic_.size(); ++i) { arithmetic_[i] = floatingOperations(program_.code[i]) > 0; }
  }

  std::shared_ptr<const Recording> read() {
    std::string message;
    try {
      cut();
      locations_.emplace(*block_.placed, *block_.sites, *block_.launch, *block_.log, streams_);
      index_.places = locations_->shared();
      merge();
      if (full_) { message = "The GPU's recording is longer than the memory that it was given."; }
    } catch (const LogError& error) { message = std::string("The GPU's recording does not fit: ") + error.what(); }
    return builder_.finish(full_, std::move(message));
  }

 private:
  struct Thread {
    std::size_t unit = 0;              ///< the next one
    std::vector<std::uint32_t> turns;  ///< of the loops around it, as ProgramPlaces::loops has them
    bool waiting = false;
    [[nodiscard]] bool ended(const LogStream& stream) const { return unit >= stream.units.size(); }
  };
  struct Warp {
    std::uint32_t first = 0, count = 0;  ///< its threads
    LaneMask ready = 0;                  ///< the lanes that go on next, together
    std::uint32_t instruction = kNone;   ///< where they stand
    std::uint32_t clock = 0;
    LaneMask waiting = 0, exited = 0;
  };
  /// What the lanes of a warp accessed with one instruction.
  struct Group {
    AccessGroup access;
    std::array<std::int64_t, kWarpSize> element{};
    std::array<std::uint64_t, kWarpSize> value{};
  };
  void cut() {
    const BlockLog& log = *block_.log;
    steps_.assign(threads_, {});
    streams_.resize(threads_);
    for (const std::uint32_t count : log.counts) { full_ = full_ || count > log.capacity; }
    // A big block wrote some millions of words.
    const std::uint32_t workers = std::clamp(std::thread::hardware_concurrency(), 1U, 8U);
    std::vector<std::string> errors(workers);
    {
      std::vector<std::jthread> running;
      for (std::uint32_t worker = 0; worker < workers; ++worker) {
        running.emplace_back([&, worker] {
          try {
            for (std::uint32_t thread = worker; thread < threads_; thread += workers) { cutThread(thread); }
          } catch (const std::exception& error) { errors[worker] = error.what(); }
        });
      }
    }
    for (const std::string& error : errors) {
      if (!error.empty()) { throw LogError(error); }
    }
    states_.resize(threads_);
    for (std::uint32_t warp = 0; warp < warps_.size(); ++warp) {
      warps_[warp].first = warp * kWarpSize;
      warps_[warp].count = std::min<std::uint32_t>(kWarpSize, threads_ - warps_[warp].first);
      if (warps_[warp].count < kWarpSize) { warps_[warp].exited = kAllLanes << warps_[warp].count; }
      for (std::uint32_t lane = 0; lane < warps_[warp].count; ++lane) {
        const std::uint32_t thread = warps_[warp].first + lane;
        if (streams_[thread].units.empty()) { warps_[warp].exited |= LaneMask{1} << lane; }
        if (!streams_[thread].units.empty()) { enterLoops(thread, kNone); }
      }
      choose(warps_[warp]);
    }
  }

  void cutThread(std::uint32_t thread) {
    const BlockLog& log = *block_.log;
    const std::uint32_t words = std::min(log.counts[thread], log.capacity);
    const std::span<const std::uint32_t> all(log.words);
    streams_[thread] =
        LogStream(all.subspan(std::size_t{thread} * log.capacity, written(thread, words)), *block_.sites, places_);
    const LogStream& stream = streams_[thread];
    steps_[thread].assign(stream.units.empty() ? 0 : stream.units.back().statements, kNone);
  }

  /// Words of whole entries: the one that found no room was not written.
  [[nodiscard]] std::size_t written(std::uint32_t thread, std::uint32_t words) const {
    const BlockLog& log = *block_.log;
    if (log.counts[thread] <= log.capacity) { return words; }
    const std::span<const std::uint32_t> all = std::span(log.words).subspan(std::size_t{thread} * log.capacity, words);
    std::size_t at = 0;
    while (at < all.size()) {
      const std::size_t length = 1 + (all[at] >> kLogPayloadShift & kLogPayloadMask);
      if (all[at] == 0 || at + length > all.size()) { break; }
      at += length;
    }
    return at;
  }

  [[nodiscard]] const LogUnit& unit(std::uint32_t thread) const { return streams_[thread].units[states_[thread].unit]; }

  /// Counts the turns of the loops around a thread's next statement, coming from another one.
  void enterLoops(std::uint32_t thread, std::uint32_t from) {
    Thread& state = states_[thread];
    const std::uint32_t to = unit(thread).instruction;
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

  /// Whether one thread of a warp comes before another: as structured code has it, lanes that left an iteration early
  /// wait for the others.
  [[nodiscard]] int compare(std::uint32_t a, std::uint32_t b) const {
    const std::uint32_t atA = unit(a).instruction, atB = unit(b).instruction;
    const std::vector<std::uint32_t>&loopsA = places_.loops(atA), &loopsB = places_.loops(atB);
    for (std::size_t i = 0; i < loopsA.size() && i < loopsB.size() && loopsA[i] == loopsB[i]; ++i) {
      if (states_[a].turns[i] != states_[b].turns[i]) { return states_[a].turns[i] < states_[b].turns[i] ? -1 : 1; }
    }
    return atA == atB ? 0 : atA < atB ? -1 : 1;
  }

  void choose(Warp& warp) {
    warp.ready = 0;
    warp.instruction = kNone;
    std::uint32_t best = kNone;
    for (std::uint32_t lane = 0; lane < warp.count; ++lane) {
      const std::uint32_t thread = warp.first + lane;
      if (states_[thread].waiting || states_[thread].ended(streams_[thread])) { continue; }
      const int order = best == kNone ? -1 : compare(thread, best);
      if (order < 0) {
        best = thread;
        warp.ready = 0;
      }
      if (order <= 0) { warp.ready |= LaneMask{1} << lane; }
    }
    if (best == kNone) { return; }
    warp.instruction = unit(best).instruction;
    warp.clock = unit(best).clock;
  }

  void merge() {
    std::vector<std::uint32_t> together;
    while (true) {
      together.clear();
      const Warp* first = nullptr;
      for (const Warp& warp : warps_) {
        if (warp.ready == 0) { continue; }
        const bool earlier =
            first == nullptr || (order_ == LogOrder::Clock ? static_cast<std::int32_t>(warp.clock - first->clock) < 0
                                                           : warp.instruction < first->instruction);
        if (earlier) { first = &warp; }
      }
      if (first == nullptr) {
        if (!release()) { return; }
        continue;
      }
      if (order_ == LogOrder::Clock) {
        together.push_back(static_cast<std::uint32_t>(first - warps_.data()));
      } else {
        for (std::uint32_t index = 0; index < warps_.size(); ++index) {
          if (warps_[index].ready != 0 && warps_[index].instruction == first->instruction) {
            together.push_back(index);
          }
        }
      }
      step(together);
    }
  }

  bool release() {
    bool any = false;
    for (std::uint32_t thread = 0; thread < threads_; ++thread) {
      any = std::exchange(states_[thread].waiting, false) || any;
    }
    if (!any) { return false; }
    ++interval_;
    for (Warp& warp : warps_) {
      warp.waiting = 0;
      choose(warp);
    }
    return true;
  }

  void step(const std::vector<std::uint32_t>& together) {
    const std::uint32_t instruction = warps_[together.front()].instruction;
    const std::uint32_t end = places_.end(instruction);
    bool barrier = false;
    for (std::uint32_t i = instruction; i < end; ++i) { barrier = barrier || program_.code[i].op == Opcode::Barrier; }
    builder_.beginStep(program_.code[instruction].aux, interval_);
    for (std::uint32_t i = instruction; i < end; ++i) {
      if (arithmetic_[i]) { builder_.noteArithmetic(); }
    }
    for (const std::uint32_t index : together) {
      Warp& warp = warps_[index];
      if (barrier) { warp.waiting |= warp.ready; }
      entries(index, warp);
    }
    std::size_t next = 0;
    for (std::uint32_t index = 0; index < warps_.size(); ++index) {
      const bool runs = next < together.size() && together[next] == index;
      if (runs) { ++next; }
      builder_.addLanes(index, {runs ? warps_[index].ready : 0, warps_[index].waiting, warps_[index].exited});
    }
    builder_.endStep();
    for (const std::uint32_t index : together) { advance(warps_[index], barrier); }
    ++stepCount_;
  }

  void advance(Warp& warp, bool barrier) {
    for (LaneMask lanes = warp.ready; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
      const std::uint32_t thread = warp.first + lane;
      const LogUnit& done = unit(thread);
      // A unit after a call has no entry of its own.
      if (done.statements > 0 && steps_[thread][done.statements - 1] == kNone) {
        steps_[thread][done.statements - 1] = stepCount_;
      }
      const std::uint32_t from = done.instruction;
      ++states_[thread].unit;
      if (states_[thread].ended(streams_[thread])) {
        // Lanes that reach the end wait there for the others of their warp; those that return are gone at once.
        warp.waiting &= ~(LaneMask{1} << lane);
        if (returns(from)) { warp.exited |= LaneMask{1} << lane; }
      } else {
        enterLoops(thread, from);
        states_[thread].waiting = barrier;
      }
    }
    choose(warp);
    const bool over =
        std::ranges::all_of(std::views::iota(warp.first, warp.first + warp.count),
                            [&](std::uint32_t thread) { return states_[thread].ended(streams_[thread]); });
    if (over) { warp.exited = kAllLanes; }
  }

  /// Whether the statement at an instruction leaves the kernel.
  [[nodiscard]] bool returns(std::uint32_t instruction) const {
    const Statement& statement = program_.statements[program_.code[instruction].aux];
    return statement.kind == StatementKind::Return && statement.function == 0;
  }

  // --- what a warp's lanes did in a step

  void entries(std::uint32_t index, const Warp& warp) {
    groups_.clear();
    writes_.clear();
    origins_.beginStep();
    for (LaneMask lanes = warp.ready; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
      const std::uint32_t thread = warp.first + lane;
      const LogUnit& now = unit(thread);
      for (std::uint32_t i = 0; i < now.entryCount; ++i) {
        entry(index, lane, thread, now.instruction, streams_[thread].entries[now.firstEntry + i]);
      }
    }
    std::ranges::stable_sort(groups_, {}, [](const Group& group) { return group.access.instruction; });
    for (const Group& group : groups_) { builder_.access(group.access, group.element, group.value); }
    std::ranges::stable_sort(writes_, {}, [](const auto& write) { return write.first; });
    for (const auto& [instruction, write] : writes_) { builder_.write(write); }
  }

  void entry(std::uint32_t warp, std::uint32_t lane, std::uint32_t thread, std::uint32_t begin, const LogEntry& entry) {
    const LogSite& site = (*block_.sites)[entry.site];
    switch (entry.kind) {
      case LogKind::Load:
      case LogKind::Store:
        return access(warp, lane, thread, begin, entry, site);
      case LogKind::Atomic:
        return atomic(warp, lane, thread, begin, entry, site);
      case LogKind::Variable:
        return variable(lane, thread, begin, entry, site);
      default:
        return;
    }
  }

  /// The instructions of a unit that stand at a place of the text, all of loads, stores or atomics.
  const std::vector<std::uint32_t>& instructions(std::uint32_t begin, const LogEntry& entry, const LogSite& site) {
    auto& [of, list] = accesses_[entry.site];
    if (of == begin) { return list; }
    of = begin;
    list.clear();
    const Program& placed = *block_.placed;
    for (std::uint32_t i = begin; i < places_.end(begin); ++i) {
      const Instruction& one = placed.code[i];
      const bool kind = entry.kind == LogKind::Load    ? one.op == Opcode::Load
                        : entry.kind == LogKind::Store ? one.op == Opcode::Store
                                                       : isAtomic(one.op);
      const bool here = site.name.empty() ? one.range == site.range
                                          : one.aux != kNone && placed.objects[one.aux].declared == site.declared &&
                                                placed.objects[one.aux].name == site.name;
      if (kind && here) { list.push_back(i); }
    }
    return list;
  }

  /// The GPU did what no instruction of the program says: told, not left out.
  [[nodiscard]] static LogError unknown(const LogSite& site) {
    return LogError("an access at line " + std::to_string(site.range.line) + " is not in the program");
  }

  void access(std::uint32_t warp, std::uint32_t lane, std::uint32_t thread, std::uint32_t begin, const LogEntry& entry,
              const LogSite& site) {
    const std::vector<std::uint32_t>& all = instructions(begin, entry, site);
    if (all.empty() || entry.payload.size() < 3) { throw unknown(site); }
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
      if (instruction.type == ValueType::Pointer) { bits = locations_->pointer(thread, bits); }
      touch(warp, lane, thread, all[i], address + offset, bits, entry.kind == LogKind::Store);
    }
  }

  void atomic(std::uint32_t warp, std::uint32_t lane, std::uint32_t thread, std::uint32_t begin, const LogEntry& entry,
              const LogSite& site) {
    const std::vector<std::uint32_t>& all = instructions(begin, entry, site);
    if (all.empty()) { throw unknown(site); }
    const Instruction& instruction = program_.code[all.front()];
    const std::size_t words = sizeInMemory(instruction.type) == 8 ? 2 : 1;
    if (entry.payload.size() < 2 + 2 * words) { throw unknown(site); }
    const auto value = [&](std::size_t index) {
      const std::size_t at = 2 + index * words;
      return at + words > entry.payload.size() ? 0 : words == 2 ? word64(entry.payload, at) : entry.payload[at];
    };
    touch(warp, lane, thread, all.front(), word64(entry.payload, 0), leftBy(instruction, value(0), value(1), value(2)),
          true);
  }

  void touch(std::uint32_t warp, std::uint32_t lane, std::uint32_t thread, std::uint32_t index, std::uint64_t address,
             std::uint64_t bits, bool store) {
    const Instruction& instruction = program_.code[index];
    const auto at = locations_->element(thread, address);
    if (!at) {
      char where[24];
      std::snprintf(where, sizeof where, "0x%llx", static_cast<unsigned long long>(address));
      throw LogError("the access to " + std::string(where) + " at line " + std::to_string(instruction.range.line) +
                     " is outside of every array");
    }
    const MemoryObject& object = program_.objects[at->object];
    // As the emulator numbers them: in elements of what is accessed, whatever the array was declared as.
    const std::int64_t element = at->byteOffset / sizeInMemory(instruction.type);
    Group& group = groupFor(warp, lane, index, at->object, object.space, store);
    group.access.lanes |= LaneMask{1} << lane;
    group.element[lane] = element;
    group.value[lane] = bits;
    const std::int64_t cell = object.space == MemorySpace::Local ? thread * object.elementCount() + element : element;
    if (!store) {
      origins_.load(lane, index, at->object, element, cell, bits);
      return;
    }
    RecordingBuilder::Write write;
    write.kind = object.space == MemorySpace::Global   ? Change::Kind::Global
                 : object.space == MemorySpace::Shared ? Change::Kind::Shared
                                                       : Change::Kind::Local;
    write.id = at->object;
    write.index = cell;
    write.bits = bits;
    write.thread = thread;
    if (instruction.op == Opcode::Store) {
      set(write, origins_.source({lane, thread, bits}, instruction.b, index));
    } else {
      write.origin.kind = Origin::Kind::Computed;
    }
    writes_.emplace_back(index, write);
  }

  Group& groupFor(std::uint32_t warp, std::uint32_t lane, std::uint32_t index, ObjectId object, MemorySpace space,
                  bool store) {
    for (Group& group : groups_) {
      if (group.access.instruction == index && group.access.object == object &&
          (group.access.lanes >> lane & 1U) == 0) {
        return group;
      }
    }
    Group& group = groups_.emplace_back();
    group.access.instruction = index;
    group.access.warp = warp;
    group.access.object = object;
    group.access.space = space;
    group.access.store = store;
    return group;
  }

  // --- variables

  struct Assigned {
    VariableId variable = kNone;
    std::uint32_t instruction = kNone;  ///< that writes it; kNone: unknown
  };

  const std::vector<Assigned>& assigned(std::uint32_t begin, const LogEntry& entry, const LogSite& site) {
    auto& [of, list] = assignments_[entry.site];
    if (of == std::pair(begin, entry.function)) { return list; }
    of = {begin, entry.function};
    list.clear();
    const Program& placed = *block_.placed;
    std::vector<VariableId> ids;
    for (VariableId id = 0; id < placed.variables.size(); ++id) {
      const Variable& one = placed.variables[id];
      if (one.function == entry.function && one.declared == site.declared) { ids.push_back(id); }
    }
    if (ids.empty()) {
      // Behind a reference: what the statement assigns to there.
      for (std::uint32_t i = begin; i < places_.end(begin); ++i) {
        const Instruction& one = placed.code[i];
        const VariableId variable = one.dst == kNone ? kNone : origins_.variableOf(one.dst);
        if (one.op == Opcode::Assign && one.range == site.range && variable != kNone) { ids.push_back(variable); }
      }
    } else {
      ids.erase(ids.begin(), ids.begin() + std::min<std::ptrdiff_t>(site.field, std::ssize(ids)));
    }
    for (const VariableId id : ids) {
      Assigned one{id, kNone};
      for (std::uint32_t i = begin; i < places_.end(begin); ++i) {
        if (placed.code[i].dst == placed.variables[id].reg) { one.instruction = i; }
      }
      list.push_back(one);
    }
    return list;
  }

  void variable(std::uint32_t lane, std::uint32_t thread, std::uint32_t begin, const LogEntry& entry,
                const LogSite& site) {
    const std::vector<Assigned>& all = assigned(begin, entry, site);
    Scalars scalars(entry.payload);
    const auto typeOf = [&](const Assigned& one) {
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
      if (typeOf(all[i]) == ValueType::Pointer) { bits = locations_->pointer(thread, bits); }
      // A narrow value lies in a register of 32 bits, extended by its sign.
      RecordingBuilder::Write write;
      write.kind = Change::Kind::Variable;
      write.id = all[i].variable;
      write.index = thread;
      write.thread = thread;
      write.bits = lowBytes(bits, sizeInRegister(typeOf(all[i])));
      const std::uint32_t at = all[i].instruction;
      if (at != kNone) {
        set(write, origins_.written({lane, thread, write.bits}, at));
      } else {
        write.origin.kind = Origin::Kind::Computed;
      }
      writes_.emplace_back(at == kNone ? begin : at, write);
    }
  }

  static void set(RecordingBuilder::Write& write, const LogOrigins::Provenance& provenance) {
    write.origin = provenance.origin;
    write.copiedFrom = provenance.copiedFrom;
    write.copiedId = provenance.copiedId;
  }

  const LoggedBlock& block_;
  const Program& program_;
  LogOrder order_;
  LogIndex& index_;
  std::vector<std::vector<std::uint32_t>>& steps_;
  ProgramPlaces places_;
  std::uint32_t threads_;
  RecordingBuilder builder_;
  std::vector<LogStream> streams_;
  std::optional<LogPlaces> locations_;
  std::vector<Thread> states_;
  std::vector<Warp> warps_;
  std::vector<bool> arithmetic_;
  LogOrigins origins_;
  // Of each site, what it was last: the same for all lanes of a step.
  std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> accesses_;
  std::vector<std::pair<std::pair<std::uint32_t, std::uint32_t>, std::vector<Assigned>>> assignments_;
  std::vector<Group> groups_;
  std::vector<std::pair<std::uint32_t, RecordingBuilder::Write>> writes_;
  std::uint32_t interval_ = 0;
  std::uint32_t stepCount_ = 0;
  bool full_ = false;
};

}  // namespace

std::shared_ptr<const Recording> readLog(const LoggedBlock& block, LogOrder order, LogIndex& index) {
  return Reader(block, order, index).read();
}

std::shared_ptr<const Recording> readLog(const LoggedBlock& block, LogOrder order) {
  LogIndex index;
  return readLog(block, order, index);
}

}  // namespace haloscope::recording
