#include "worksheet/ThreadTrace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

#include "frontend/CodeText.h"
#include "language/Text.h"
#include "recording/Cursor.h"
#include "worksheet/Blanks.h"

namespace haloscope::worksheet {

namespace {

using experiment::Experiment;
using recording::AccessGroup;
using recording::Change;
using recording::Recording;

constexpr std::size_t kMostRows = 34;                  // without a gap
constexpr std::size_t kFirstRows = 17, kLastRows = 9;  // around one
constexpr std::size_t kExcerpt = 150;

class TraceMaker {
 public:
  TraceMaker(const Experiment& experiment, std::uint32_t thread)
      : experiment_(experiment), recording_(*experiment.recording), program_(*experiment.program), thread_(thread) {
    for (std::size_t step = 0; step < recording_.steps.size(); ++step) {
      if (executes(step)) { steps_.push_back(step); }
    }
    StatementId statement = kNone;
    for (const Instruction& instruction : program_.code) {
      if (instruction.op == Opcode::Statement) { statement = instruction.aux; }
      if (takesFromOthers(instruction.op)) { takesFromOthers_.insert(statement); }
    }
  }

  ThreadTrace make() {
    const std::size_t output = firstOutput();
    std::size_t head = std::min(steps_.size(), kFirstRows + kLastRows), tail = head, end = head;
    if (output < steps_.size() && output >= kMostRows) {
      head = kFirstRows;
      end = output + 1;
      tail = end - kLastRows;
    } else if (output < steps_.size()) {
      head = tail = end = std::min(steps_.size(), std::max<std::size_t>(output + 1, 12));
    }
    for (std::size_t i = 0; i < head; ++i) { trace_.rows.push_back(rowOf(i)); }
    for (std::size_t i = tail; i < end; ++i) {
      trace_.rows.push_back(rowOf(i));
      if (i == tail && tail > head) { trace_.rows.back().given = valuesBefore(steps_[i]); }
    }
    trace_.leftOut = tail - head;
    trace_.leftOutAtEnd = steps_.size() - end;
    chooseBlanks();
    return std::move(trace_);
  }

 private:
  /// Whether its result comes from other threads or from a copy that was under way, of which a row says nothing.
  [[nodiscard]] static bool takesFromOthers(Opcode op) {
    switch (op) {
      case Opcode::Shuffle:
      case Opcode::Vote:
      case Opcode::BarrierVote:
      case Opcode::CopyWait:
      case Opcode::MemoryBarrier:
        return true;
      default:
        return isAtomic(op);
    }
  }
  [[nodiscard]] bool executes(std::size_t step) const {
    const LaneMask lane = LaneMask{1} << (thread_ % kWarpSize);
    return recording_.steps[step].statement != kNone &&
           (recording_.warpState(step, thread_ / kWarpSize).active & lane) != 0;
  }
  /// Index into steps_; their number if the thread writes none.
  [[nodiscard]] std::size_t firstOutput() const {
    const auto found = std::ranges::find_if(steps_, [&](std::size_t step) {
      return std::ranges::any_of(recording_.changesOf(step), [&](const Change& change) {
        return change.kind == Change::Kind::Global && change.id == experiment_.footprint.output &&
               change.thread == thread_;
      });
    });
    return static_cast<std::size_t>(found - steps_.begin());
  }

  TraceRow rowOf(std::size_t at) {
    const std::size_t step = steps_[at];
    const Statement& statement = program_.statements[recording_.steps[step].statement];
    TraceRow row;
    row.step = step + 1;
    row.line = statement.range.line;
    row.statement = excerpt(experiment_.file.text, statement.range, kExcerpt);
    row.barrier = recording_.activities[step] == recording::Activity::Barrier;
    if (statement.kind == StatementKind::Condition || statement.kind == StatementKind::LoopCondition) {
      row.condition = conditionOf(at);
    }
    addReads(row, step);
    addResults(row, step);
    return row;
  }

  void addReads(TraceRow& row, std::size_t step) {
    for (const AccessGroup& group : recording_.accessesOf(step)) {
      const LaneMask lane = LaneMask{1} << (thread_ % kWarpSize);
      if (group.store || group.warp != thread_ / kWarpSize || (group.lanes & lane) == 0) { continue; }
      const std::size_t n = group.first + static_cast<std::size_t>(std::popcount(group.lanes & (lane - 1)));
      const MemoryObject& object = program_.objects[group.object];
      const std::int64_t element = recording_.elements[n];
      const std::string text =
          fmt::format("{} = {}", recording::formatElement(object.name, recording_.extents[group.object], element),
                      recording::formatValue(program_, object.element, recording_.values[n]));
      if (std::ranges::find(row.reads, text) == row.reads.end()) { row.reads.push_back(text); }
      read_.insert(keyOf(group.space, group.object, element));
    }
  }
  [[nodiscard]] static CellKey keyOf(MemorySpace space, ObjectId object, std::int64_t element) {
    const bool own = space == MemorySpace::Shared || space == MemorySpace::Local;
    return {own ? Change::Kind::Shared : Change::Kind::Global, object, element};
  }

  void addResults(TraceRow& row, std::size_t step) const {
    for (const Change& change : recording_.changesOf(step)) {
      if (change.thread != thread_) { continue; }
      TraceResult result;
      ValueType type = ValueType::I32;
      if (change.kind == Change::Kind::Variable) {
        if (change.index != static_cast<std::int64_t>(thread_)) { continue; }
        const Variable& variable = program_.variables[change.id];
        type = program_.registers[variable.reg].type;
        result.name = variable.name;
        result.key = {change.kind, change.id, change.index};
      } else {
        const MemoryObject& object = program_.objects[change.id];
        type = object.element;
        std::int64_t element = change.index;
        if (change.kind == Change::Kind::Local) {
          std::int64_t own = 1;
          for (const std::int64_t extent : recording_.extents[change.id]) { own *= extent; }
          element %= std::max<std::int64_t>(1, own);
        }
        result.name = object.name;
        result.place = recording::formatElement("", recording_.extents[change.id], element);
        result.key = {change.kind, change.id, change.index};
      }
      result.value = recording::formatValue(program_, type, change.after);
      const auto same = std::ranges::find(row.results, result.key, &TraceResult::key);
      if (same != row.results.end()) {
        *same = std::move(result);
      } else {
        row.results.push_back(std::move(result));
      }
    }
  }

  /// Whether the thread went on within what the condition guards. Nothing where the recording ends, or the condition
  /// has no code of its own to tell.
  [[nodiscard]] std::optional<bool> conditionOf(std::size_t at) const {
    if (at + 1 >= steps_.size()) { return std::nullopt; }
    const Statement& statement = program_.statements[recording_.steps[steps_[at]].statement];
    std::uint32_t end = statement.firstInstruction + 1;
    while (end < program_.code.size() && program_.code[end].op != Opcode::Statement) { ++end; }
    std::uint32_t test = kNone;
    for (std::uint32_t i = statement.firstInstruction; i < end; ++i) {
      const Instruction& instruction = program_.code[i];
      const bool tests = instruction.op == Opcode::If || instruction.op == Opcode::LoopTest;
      if (tests && instruction.target != kNone && instruction.target >= end) { test = i; }
    }
    if (test == kNone) { return std::nullopt; }
    const std::uint32_t next = program_.statements[recording_.steps[steps_[at + 1]].statement].firstInstruction;
    return next > test && next < program_.code[test].target;
  }

  /// The thread's variables that mean something at a step, before it.
  [[nodiscard]] std::string valuesBefore(std::size_t step) const {
    recording::Cursor cursor(experiment_.recording);
    cursor.goTo(step + 1);
    const std::vector<recording::ThreadValue> scope = threadValues(cursor, thread_);
    cursor.goTo(step);
    std::vector<std::string> texts;
    const std::vector<recording::ThreadValue> values = threadValues(cursor, thread_);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Variable& variable = program_.variables[values[i].variable];
      if (!scope[i].inScope || variable.parameter || values[i].cell.writtenAt == kNone) { continue; }
      texts.push_back(fmt::format("{} = {}", values[i].name, values[i].text));
    }
    return fmt::format("{}", fmt::join(texts, ", "));
  }

  /// About two of five values, spread over the rows, none that a visible read gives away, and outputs in any case; only
  /// where a row has all that they are made of: what it reads, and variables that rows before it, or `given`, have.
  void chooseBlanks() {
    int blanks = 0, values = 0;  // in a row
    const auto draw = [&](const TraceRow& row) {
      const bool blank = values >= 3 || (blanks < 2 && scattered(row.statement, row.step) % 5 < 2);
      blanks = blank ? blanks + 1 : 0;
      values = blank ? 0 : values + 1;
      return blank;
    };
    for (TraceRow& row : trace_.rows) {
      const bool complete = !takesFromOthers_.contains(recording_.steps[row.step - 1].statement);
      row.conditionBlank = complete && row.condition.has_value() && draw(row);
      for (TraceResult& result : row.results) {
        const bool output = result.key.kind == Change::Kind::Global && result.key.id == experiment_.footprint.output;
        const bool pointer = result.key.kind == Change::Kind::Variable &&
                             program_.registers[program_.variables[result.key.id].reg].type == ValueType::Pointer;
        const bool readLater = read_.contains(result.key);
        result.blank = complete && !pointer && !readLater && result.value != "unwritten" && (output || draw(row));
        (result.blank ? trace_.hidden : trace_.printed).push_back(result.key);
      }
    }
    trace_.printed.insert(trace_.printed.end(), read_.begin(), read_.end());
  }

  const Experiment& experiment_;
  const Recording& recording_;
  const Program& program_;
  std::uint32_t thread_;
  std::vector<std::size_t> steps_;         // that it executes
  std::set<CellKey> read_;                 // by the rows
  std::set<StatementId> takesFromOthers_;  // statements
  ThreadTrace trace_;
};

}  // namespace

ThreadTrace threadTrace(const Experiment& experiment, std::uint32_t thread) {
  return TraceMaker(experiment, thread).make();
}

}  // namespace haloscope::worksheet
