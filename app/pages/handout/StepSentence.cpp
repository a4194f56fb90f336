#include "handout/StepSentence.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "language/Text.h"

namespace haloscope::handout {

namespace {

using recording::AccessGroup;
using recording::Change;
using recording::Recording;

/// Names, each once, in the order in which they come.
class Names {
 public:
  void add(const std::string& name) {
    if (std::ranges::find(names_, name) == names_.end()) { names_.push_back(name); }
  }
  [[nodiscard]] bool empty() const { return names_.empty(); }
  [[nodiscard]] std::string text() const { return fmt::format("{}", fmt::join(names_, tr(", "))); }

 private:
  std::vector<std::string> names_;
};

}  // namespace

std::string stepSentence(const Recording& recording, std::size_t step) {
  const Program& program = *recording.program;
  int threads = 0;
  for (std::uint32_t warp = 0; warp < recording.warpCount(); ++warp) {
    threads += std::popcount(recording.warpState(step, warp).active);
  }
  const StatementId statement = recording.steps[step].statement;
  const int line = statement == kNone ? 0 : program.statements[statement].range.line;
  const bool barrier = recording.activities[step] == recording::Activity::Barrier;
  std::string text = barrier
                         ? trf("Line {}: barrier, reached by {} of {} threads.", line, threads, recording.threadCount())
                         : trf("Line {}, executed by {} of {} threads.", line, threads, recording.threadCount());

  Names globalReads, globalWrites, sharedReads, sharedWrites, constants, variables;
  for (const AccessGroup& group : recording.accessesOf(step)) {
    const std::string& name = program.objects[group.object].name;
    switch (group.space) {
      case MemorySpace::Global:
        (group.store ? globalWrites : globalReads).add(name);
        break;
      case MemorySpace::Shared:
        (group.store ? sharedWrites : sharedReads).add(name);
        break;
      case MemorySpace::Constant:
        constants.add(name);
        break;
      case MemorySpace::Local:
        break;
    }
  }
  for (const Change& change : recording.changesOf(step)) {
    if (change.kind == Change::Kind::Variable) { variables.add(program.variables[change.id].name); }
  }
  const auto add = [&](const char* what, const Names& names) {
    if (!names.empty()) { text += fmt::format(" {}: {}.", what, names.text()); }
  };
  add(tr("Global memory read"), globalReads);
  add(tr("Shared memory read"), sharedReads);
  add(tr("Constant memory read"), constants);
  add(tr("Variables set"), variables);
  add(tr("Shared memory written"), sharedWrites);
  add(tr("Global memory written"), globalWrites);
  return text;
}

}  // namespace haloscope::handout
