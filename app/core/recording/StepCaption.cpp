#include "recording/StepCaption.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "language/Text.h"
#include "program/NumberText.h"
#include "recording/GridShape.h"
#include "recording/StepWords.h"
#include "recording/StepWrites.h"

namespace haloscope::recording {

namespace {

/// What a thread-by-thread sentence is about.
struct Share {
  std::size_t threads = 0, of = 0;
  [[nodiscard]] bool all() const { return threads == of; }
};

/// Among other words a name such as `in` or `ahead` must read as one.
std::string quoted(const std::string& name) { return fmt::format("`{}`", name); }

/// Puts the title of one step together. Each function gives an empty text if the step is none of its own.
class Captioner {
 public:
  Captioner(const Recording& recording, std::size_t step, const Footprint& footprint,
            const std::vector<Carrier>& carriers, const BlockView& view)
      : recording_(recording),
        program_(*recording.program),
        step_(step),
        statement_(recording.steps[step].statement),
        footprint_(footprint),
        carriers_(carriers),
        view_(view),
        writes_(writesOf(recording, step, footprint)),
        written_(namesOf(recording, writes_)) {}

  [[nodiscard]] std::string title() const {
    using Part = std::string (Captioner::*)() const;
    for (const Part part :
         {&Captioner::arrival, &Captioner::issue, &Captioner::global, &Captioner::cluster, &Captioner::changes,
          &Captioner::barrier, &Captioner::condition, &Captioner::jump, &Captioner::reading}) {
      if (std::string text = (this->*part)(); !text.empty()) { return text; }
    }
    return line();
  }

 private:
  [[nodiscard]] const MemoryObject& object(ObjectId id) const { return program_.objects[id]; }
  [[nodiscard]] const Instruction& code(const AccessGroup& group) const { return program_.code[group.instruction]; }
  [[nodiscard]] std::size_t count() const { return written_.size(); }
  [[nodiscard]] std::string names() const { return listOf(written_); }
  [[nodiscard]] std::string nameOf(ObjectId id) const { return quoted(object(id).name); }
  [[nodiscard]] static std::string listOf(std::vector<std::string> names) {
    std::ranges::transform(names, names.begin(), quoted);
    return namesText(names);
  }

  // --- asynchronous copies

  /// What reached shared memory by itself in this step.
  [[nodiscard]] std::string arrival() const {
    std::vector<std::string> to;
    std::vector<ObjectId> arrays;
    for (const AccessGroup& group : recording_.accessesOf(step_)) {
      if (!group.store || group.space != MemorySpace::Shared || !code(group).async) { continue; }
      if (std::ranges::find(arrays, group.object) != arrays.end()) { continue; }
      arrays.push_back(group.object);
      to.push_back(object(group.object).name);
    }
    if (to.empty()) { return {}; }
    ObjectId from = kNone;
    for (const Change& change : recording_.changesOf(step_)) {
      if (change.kind != Change::Kind::Shared || change.originAfter.kind != Origin::Kind::Element) { continue; }
      if (from != kNone && from != change.originAfter.object) { return trf("A copy to {} has arrived", listOf(to)); }
      from = change.originAfter.object;
    }
    if (from == kNone) { return trf("A copy to {} has arrived", listOf(to)); }
    if (from == footprint_.input && writes_.kind == Change::Kind::Shared && writes_.inputPlane) {
      return trf("A copy from plane {} of {} to {} has arrived", *writes_.inputPlane, nameOf(from), listOf(to));
    }
    return trf("A copy from {} to {} has arrived", nameOf(from), listOf(to));
  }

  /// Copies to shared memory that begin in this step.
  [[nodiscard]] std::string issue() const {
    const auto issued = std::ranges::equal_range(recording_.inFlight, step_, {},
                                                 [](const InFlight& copy) { return std::size_t{copy.issuedAt}; });
    if (issued.empty()) { return {}; }
    std::vector<std::string> to;
    for (const InFlight& copy : issued) {
      const std::string& name = object(copy.object).name;
      if (std::ranges::find(to, name) == to.end()) { to.push_back(name); }
    }
    ObjectId from = kNone;
    bool one = true;
    for (const AccessGroup& group : recording_.accessesOf(step_)) {
      if (group.store || group.space != MemorySpace::Global || !(code(group).ofCopy || code(group).bulk)) { continue; }
      one = one && (from == kNone || from == group.object);
      from = group.object;
    }
    if (from == kNone || !one) { return trf("A copy to {} is on its way", listOf(to)); }
    if (const std::optional<std::int64_t> plane = planeRead(from)) {
      return trf("A copy from plane {} of {} to {} is on its way", *plane, nameOf(from), listOf(to));
    }
    return trf("A copy from {} to {} is on its way", nameOf(from), listOf(to));
  }

  /// The plane that the step's copies take from the input, if it is one.
  [[nodiscard]] std::optional<std::int64_t> planeRead(ObjectId from) const {
    if (from != footprint_.input || !hasPlanes(footprint_.inputExtents)) { return std::nullopt; }
    const GridShape shape(footprint_.inputExtents);
    std::optional<std::int64_t> plane;
    for (const AccessGroup& group : recording_.accessesOf(step_)) {
      if (group.store || group.object != from) { continue; }
      const auto lanes = static_cast<std::size_t>(std::popcount(group.lanes));
      for (std::size_t n = group.first; n < group.first + lanes; ++n) {
        const std::int64_t z = shape.point(recording_.elements[n]).z;
        if (plane && *plane != z) { return std::nullopt; }
        plane = z;
      }
    }
    return plane;
  }

  // --- global memory

  [[nodiscard]] std::string global() const {
    if (writes_.empty() || writes_.kind != Change::Kind::Global) { return {}; }
    const std::size_t places = writes_.last.size();
    if (isAtomic()) { return atomic(); }
    if (writes_.ids.size() > 1) {
      return trn("{} value is written to {}", "{} values are written to {}", places, grouped(places), names());
    }
    const ObjectId id = writes_.ids.front();
    const bool outputs = id == footprint_.output && object(id).members.empty();
    if (const std::optional<std::int64_t> plane = planeWritten(id)) {
      if (outputs && isWholeOutput(*plane)) {
        return trn("Plane {} of {} is computed: {} output", "Plane {} of {} is computed: {} outputs", places, *plane,
                   names(), grouped(places));
      }
      return outputs ? trn("{} output is written to plane {} of {}", "{} outputs are written to plane {} of {}", places,
                           grouped(places), *plane, names())
                     : trn("{} value is written to plane {} of {}", "{} values are written to plane {} of {}", places,
                           grouped(places), *plane, names());
    }
    return outputs ? trn("{} output is written to {}", "{} outputs are written to {}", places, grouped(places), names())
                   : trn("{} value is written to {}", "{} values are written to {}", places, grouped(places), names());
  }

  [[nodiscard]] std::optional<std::int64_t> planeWritten(ObjectId id) const {
    const std::vector<std::int64_t>& extents = recording_.extents[id];
    if (!hasPlanes(extents)) { return std::nullopt; }
    const GridShape shape(extents);
    // The last changes are in the order of their elements.
    const std::int64_t first = shape.point(writes_.last.front()->index).z;
    return first == shape.point(writes_.last.back()->index).z ? std::optional(first) : std::nullopt;
  }

  /// Whether the step has computed every output that the block has in this plane.
  [[nodiscard]] bool isWholeOutput(std::int64_t plane) const {
    const bool floating = isFloating(object(footprint_.output).element);
    if (writes_.computed != writes_.last.size() || !computes(program_, statement_, floating)) { return false; }
    const std::vector<std::int64_t>& extents = recording_.extents[footprint_.output];
    const std::int64_t size = extents[1] * extents[2];
    const auto first = std::ranges::lower_bound(footprint_.outputs, plane * size);
    const auto end = std::ranges::lower_bound(footprint_.outputs, (plane + 1) * size);
    return static_cast<std::size_t>(end - first) == writes_.last.size();
  }

  // --- other blocks of the cluster

  [[nodiscard]] std::string cluster() const {
    const auto accesses = recording_.clusterAccessesOf(step_);
    if (accesses.empty()) { return {}; }
    std::vector<std::string> arrays;
    bool oneRank = true;
    bool stores = false;
    bool loads = false;
    for (const ClusterAccess& access : accesses) {
      const std::string& name = object(access.object).name;
      if (std::ranges::find(arrays, name) == arrays.end()) { arrays.push_back(name); }
      oneRank = oneRank && access.rank == accesses.front().rank;
      (writesMemory(program_.code[access.instruction].op) ? stores : loads) = true;
    }
    const std::uint32_t rank = accesses.front().rank;
    const std::string list = listOf(arrays);
    if (stores && loads) {
      return trn("{} is accessed in the shared memory of other blocks",
                 "{} are accessed in the shared memory of other blocks", arrays.size(), list);
    }
    if (stores) {
      return oneRank ? trn("{} is written in the shared memory of block rank {}",
                           "{} are written in the shared memory of block rank {}", arrays.size(), list, rank)
                     : trn("{} is written in the shared memory of other blocks",
                           "{} are written in the shared memory of other blocks", arrays.size(), list);
    }
    return oneRank ? trn("{} is read from the shared memory of block rank {}",
                         "{} are read from the shared memory of block rank {}", arrays.size(), list, rank)
                   : trn("{} is read from the shared memory of other blocks",
                         "{} are read from the shared memory of other blocks", arrays.size(), list);
  }

  // --- the block's own memory and variables

  [[nodiscard]] std::string changes() const {
    if (writes_.empty() || writes_.called != kNone) { return {}; }
    if (isAtomic()) { return atomic(); }
    if (writes_.isLoad()) { return load(); }
    if (writes_.isCopy()) { return copy(); }
    if (writes_.isLiteral() && writes_.kind != Change::Kind::Variable) { return fill(); }
    return assignment();
  }

  [[nodiscard]] std::string load() const {
    const std::string from = quoted(sourceName(recording_, writes_));
    // Where it is no copy it is a literal: in ghost cells, or the sentence is about some values only.
    const bool ghosts = writes_.literal > 0 && literalsAreGhosts();
    const std::string with = ghosts ? trf(", with {} outside the array", literalText()) : std::string();
    const bool some = writes_.literal > 0 && !ghosts;
    if (writes_.inputPlane) {
      return (!some && fillsCarrier()
                  ? trf("Plane {} is loaded from {} into {}", *writes_.inputPlane, from, names())
                  : trf("Values of plane {} are loaded from {} into {}", *writes_.inputPlane, from, names())) +
             with;
    }
    const bool whole = writes_.kind == Change::Kind::Variable || fillsCarrier();
    if (some || !whole) { return trf("Values are loaded from {} into {}", from, names()) + with; }
    return trn("{} is loaded from {}", "{} are loaded from {}", count(), names(), from) + with;
  }

  [[nodiscard]] std::string copy() const {
    const std::string from = quoted(sourceName(recording_, writes_));
    const Change& source = *writes_.source;
    const bool ofVariable = source.copiedFrom == Change::CopiedFrom::Variable;
    const bool toVariable = writes_.kind == Change::Kind::Variable;
    const bool within = ofVariable == toVariable && writes_.ids.size() == 1 && writes_.ids.front() == source.copiedId;
    if (writes_.inputPlane) {
      if (within) { return trf("Values of plane {} are moved within {}", *writes_.inputPlane, names()); }
      return writes_.literal == 0 && fillsCarrier()
                 ? trf("Plane {} is copied from {} to {}", *writes_.inputPlane, from, names())
                 : trf("Values of plane {} are copied from {} to {}", *writes_.inputPlane, from, names());
    }
    if (within) { return trf("Values are moved within {}", names()); }
    if (writes_.literal > 0) { return trf("Values are copied from {} to {}", from, names()); }
    if (ofVariable) { return trf("{} is copied to {}", from, names()); }
    if (toVariable) { return trn("{} is read from {}", "{} are read from {}", count(), names(), from); }
    const bool whole = writes_.ids.size() == 1 &&
                       recording_.extents[source.copiedId] == recording_.extents[writes_.ids.front()] &&
                       writes_.last.size() == cellsOf(writes_.ids.front());
    return whole ? trf("{} is copied to {}", from, names()) : trf("Values are copied from {} to {}", from, names());
  }

  /// Literals that are written to an array.
  [[nodiscard]] std::string fill() const {
    if (!writes_.value) { return trf("Constants are written to {}", names()); }
    if (literalsAreGhosts()) {
      return trn("{} is filled with {} where it lies outside the array",
                 "{} are filled with {} where they lie outside the array", count(), names(), literalText());
    }
    return trf("{} is written to {}", literalText(), names());
  }

  /// What was computed, or is known as a value alone.
  [[nodiscard]] std::string assignment() const {
    const std::vector<std::string> read = namesRead(recording_, step_);
    const bool ofVariables = writes_.kind == Change::Kind::Variable;
    const bool calculated = writes_.isComputed() && computes(program_, statement_, isFloating(type()));
    if (!read.empty() && !writes_.isLiteral()) {
      return calculated ? trn("{} is computed from {}", "{} are computed from {}", count(), names(), listOf(read))
                        : trn("{} is set from {}", "{} are set from {}", count(), names(), listOf(read));
    }
    const std::string threads = grouped(share().threads), all = grouped(share().of);
    if (ofVariables && writes_.value) {
      return share().all() ? trn("{} becomes {}", "{} become {}", count(), names(), literalText())
                           : trn("{} becomes {} in {} of {} threads", "{} become {} in {} of {} threads", count(),
                                 names(), literalText(), threads, all);
    }
    if (calculated) {
      return share().all() ? trn("{} is computed by each thread", "{} are computed by each thread", count(), names())
                           : trn("{} is computed by {} of {} threads", "{} are computed by {} of {} threads", count(),
                                 names(), threads, all);
    }
    return share().all()
               ? trn("{} is set by each thread", "{} are set by each thread", count(), names())
               : trn("{} is set by {} of {} threads", "{} are set by {} of {} threads", count(), names(), threads, all);
  }

  [[nodiscard]] bool isAtomic() const {
    if (writes_.kind == Change::Kind::Variable) { return false; }
    return std::ranges::any_of(recording_.accessesOf(step_), [&](const AccessGroup& group) {
      return haloscope::isAtomic(code(group).op) && std::ranges::find(writes_.ids, group.object) != writes_.ids.end();
    });
  }
  [[nodiscard]] std::string atomic() const {
    const std::size_t places = writes_.last.size();
    return trn("{} value of {} is updated atomically", "{} values of {} are updated atomically", places,
               grouped(places), names());
  }

  [[nodiscard]] Share share() const { return {writes_.threads, recording_.threadCount()}; }
  [[nodiscard]] ValueType type() const { return typeOf(writes_.ids.front()); }
  [[nodiscard]] ValueType typeOf(std::uint32_t id) const {
    return writes_.kind == Change::Kind::Variable ? program_.registers[program_.variables[id].reg].type
                                                  : object(id).element;
  }
  [[nodiscard]] std::size_t cellsOf(ObjectId id) const {
    std::size_t cells = object(id).space == MemorySpace::Local ? recording_.threadCount() : 1;
    for (const std::int64_t extent : recording_.extents[id]) { cells *= static_cast<std::size_t>(extent); }
    return cells;
  }

  /// Nothing but an inlined call's parameters was set: its own statements are steps of their own.
  [[nodiscard]] std::string call() const {
    if (writes_.called == kNone) { return {}; }
    const std::string name = quoted(program_.functions[writes_.called].name);
    return share().all() ? trf("{} is called by each thread", name)
                         : trf("{} is called by {} of {} threads", name, grouped(share().threads), grouped(share().of));
  }

  // --- carriers

  /// The carrier that the step wrote, if it is one, and nothing else.
  [[nodiscard]] const CarrierView* carrier() const {
    const bool array = writes_.kind == Change::Kind::Shared;
    if (writes_.ids.size() != 1 || (!array && writes_.kind != Change::Kind::Variable)) { return nullptr; }
    const auto kind = array ? Carrier::Kind::SharedArray : Carrier::Kind::Register;
    for (std::size_t i = 0; i < carriers_.size() && i < view_.carriers.size(); ++i) {
      if (carriers_[i].kind == kind && carriers_[i].id == writes_.ids.front()) { return &view_.carriers[i]; }
    }
    return nullptr;
  }

  [[nodiscard]] static bool isLiteral(const Change& change) {
    return change.copiedFrom == Change::CopiedFrom::None && change.originAfter.kind == Origin::Kind::Constant;
  }

  /// Whether all literals are of one value and lie in cells that represent points outside the array.
  [[nodiscard]] bool literalsAreGhosts() const {
    const CarrierView* const view = carrier();
    if (view == nullptr || !literal()) { return false; }
    return std::ranges::all_of(writes_.last, [&](const Change* change) {
      const auto index = static_cast<std::size_t>(change->index);
      return !isLiteral(*change) || (index < view->cells.size() && view->cells[index].role == Role::Ghost);
    });
  }

  /// The one value of all literals.
  [[nodiscard]] std::optional<std::uint64_t> literal() const {
    std::optional<std::uint64_t> value;
    for (const Change* change : writes_.last) {
      if (!isLiteral(*change)) { continue; }
      if (value && *value != change->after) { return std::nullopt; }
      value = change->after;
    }
    return value;
  }
  [[nodiscard]] std::string literalText() const {
    const std::optional<std::uint64_t> value = writes_.value ? writes_.value : literal();
    return value ? formatValue(program_, type(), *value) : std::string();
  }

  /// Whether the step wrote all cells of a carrier, or of one of its slices: what it left out lies outside the array.
  [[nodiscard]] bool fillsCarrier() const {
    const CarrierView* const view = carrier();
    if (view == nullptr) { return false; }
    const std::vector<std::int64_t>& extents = view->carrier->extents;
    std::size_t slice = view->cells.size();
    if (extents.size() >= 3) { slice = static_cast<std::size_t>(extents[extents.size() - 2] * extents.back()); }
    if (slice == 0) { return false; }
    const std::size_t first = static_cast<std::size_t>(writes_.last.front()->index) / slice;
    if (first != static_cast<std::size_t>(writes_.last.back()->index) / slice) { return false; }
    const auto begin = static_cast<std::ptrdiff_t>(first * slice);
    const auto end = std::min(begin + static_cast<std::ptrdiff_t>(slice), std::ssize(view->cells));
    return std::all_of(view->cells.begin() + begin, view->cells.begin() + end,
                       [](const CarrierCell& cell) { return cell.changed || cell.role == Role::Ghost; });
  }

  // --- steps that change nothing

  [[nodiscard]] std::string barrier() const { return barrierText(recording_, step_); }

  [[nodiscard]] std::string condition() const { return conditionText(recording_, step_); }

  [[nodiscard]] std::string jump() const {
    if (statement_ == kNone) { return {}; }
    const Statement& statement = program_.statements[statement_];
    const std::size_t threads = active();
    if (threads == 0) { return {}; }
    switch (statement.kind) {
      case StatementKind::Return:
        break;
      case StatementKind::Break:
        return trn("{} thread executes break", "{} threads execute break", threads, grouped(threads));
      case StatementKind::Continue:
        return trn("{} thread executes continue", "{} threads execute continue", threads, grouped(threads));
      default:
        return {};
    }
    // With a call in it a statement is several steps, and the return comes with the last of them.
    const auto calls = [](const Instruction& instruction) { return instruction.op == Opcode::Call; };
    if (std::ranges::any_of(codeOf(program_, statement_), calls)) { return {}; }
    if (statement.function == 0) {
      return trn("{} thread leaves the kernel", "{} threads leave the kernel", threads, grouped(threads));
    }
    return trn("{} thread returns from {}", "{} threads return from {}", threads, grouped(threads),
               quoted(program_.functions[statement.function].name));
  }

  [[nodiscard]] std::string reading() const {
    const std::vector<std::string> read = namesRead(recording_, step_);
    return read.empty() ? std::string() : trn("{} is read", "{} are read", read.size(), listOf(read));
  }

  /// All that can be said of any step.
  [[nodiscard]] std::string line() const {
    const int line = statement_ == kNone ? 0 : program_.statements[statement_].range.line;
    const std::size_t threads = active();
    if (line == 0 || threads == 0) { return tr("Control"); }
    return trf("Line {} is executed by {} of {} threads", line, grouped(threads), grouped(recording_.threadCount()));
  }

  [[nodiscard]] std::size_t active() const {
    std::size_t threads = 0;
    for (std::uint32_t warp = 0; warp < recording_.warpCount(); ++warp) {
      threads += static_cast<std::size_t>(std::popcount(recording_.warpState(step_, warp).active));
    }
    return threads;
  }

  const Recording& recording_;
  const Program& program_;
  std::size_t step_;
  StatementId statement_;
  const Footprint& footprint_;
  const std::vector<Carrier>& carriers_;
  const BlockView& view_;
  StepWrites writes_;
  std::vector<std::string> written_;
};

/// Whether a step changes a variable of that name.
bool writesVariable(const Recording& recording, std::size_t step, const std::string& name) {
  return std::ranges::any_of(recording.changesOf(step), [&](const Change& change) {
    return change.kind == Change::Kind::Variable && recording.program->variables[change.id].name == name;
  });
}

}  // namespace

StepCaption captionOf(const Cursor& cursor, const Footprint& footprint, const std::vector<Carrier>& carriers,
                      const BlockView& view) {
  if (cursor.empty()) { return {}; }
  if (cursor.atStart()) { return {tr("Before the first step"), stepPlaceText(cursor)}; }
  return {Captioner(cursor.recording(), cursor.currentStep(), footprint, carriers, view).title(),
          stepPlaceText(cursor)};
}

std::string stepPlaceText(const Cursor& cursor) {
  if (cursor.empty()) { return {}; }
  std::string place = trf("step {} of {}", grouped(cursor.position()), grouped(cursor.end()));
  const Step* const step = cursor.current();
  if (step == nullptr) { return place; }
  place += trf(" · barrier interval {}", step->interval);
  if (step->plane == kNone) { return place; }
  const Plane& plane = cursor.recording().planes[step->plane];
  const std::string text = planeText(cursor.recording(), step->plane);
  // A turn mostly ends with the step that counts on: then its variable has the next plane's value already.
  const bool last = cursor.position() == plane.endStep;
  const bool over = last && writesVariable(cursor.recording(), cursor.currentStep(), plane.variable);
  return place + (over ? trf(" · end of plane {}", text) : trf(" · plane {}", text));
}

std::string planeText(const Recording& recording, std::uint32_t plane) {
  const Plane& of = recording.planes[plane];
  return of.variable.empty() ? std::to_string(plane) : fmt::format("{} = {}", of.variable, of.value);
}

}  // namespace haloscope::recording
