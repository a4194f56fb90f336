#include "running/Remarks.h"

#include <algorithm>
#include <utility>

#include "language/Text.h"
#include "running/KernelChecks.h"

namespace haloscope::running {

namespace {

using verdict::Weight;

verdict::Place placeOf(const host::HostPlace& at, int column = 0) {
  return {at.file, at.line == 0 ? SourceRange{} : SourceRange{at.line, column, at.line, column}};
}

class Remarks {
 public:
  Remarks(const ProgramRun& run, bool withArguments) : run_(run), withArguments_(withArguments) {}

  std::vector<verdict::Remark> all() {
    if (!run_.linkedText.empty()) { add(Weight::Note, kLinkedRemark, tr("its files"), {}, run_.linkedText); }
    if (!run_.sizesText.empty()) { add(Weight::Note, kSizesRemark, tr("sizes"), {}, run_.sizesText); }
    for (const HostFinding& one : run_.findings) {
      const HostFindingRow& row = rowOf(one.kind);
      add(row.fault ? Weight::Fault : Weight::Note, row.name, tr(row.title), placeOf(one.at), one.message);
      made_.back().isFinding = true;
      made_.back().times = one.occurrences;
    }
    // Whether another compiler would accept a program is not known. One without main() is a file of kernels.
    const bool refused = isRefused(run_.end);
    for (const host::HostDiagnostic& problem : run_.problems) {
      add(refused ? Weight::Refusal : Weight::Note, kCompileRemark, tr("host code"),
          placeOf(problem.where, problem.column), problem.message);
    }
    comparisons();
    launches();
    files();
    end(refused);
    return std::move(made_);
  }

 private:
  void add(Weight weight, const char* kind, const char* title, verdict::Place place, std::string message) {
    made_.push_back(
        {.weight = weight, .kind = kind, .title = title, .place = std::move(place), .message = std::move(message)});
  }

  void comparisons() {
    if (std::string rejected = rejection(run_); !rejected.empty()) {
      // A status alone may be a number, or be the same for every result.
      const bool proven = std::ranges::any_of(run_.ownChecks, &OwnCheck::fails);
      add(proven && !explainsOwnCheck(run_) ? Weight::Fault : Weight::Note, kOwnComparisonRemark,
          tr("its own comparison"), {}, std::move(rejected));
    }
    for (std::string& one : differencesTold(run_)) {
      add(Weight::Note, kDifferenceRemark, tr("its own comparison"), {}, std::move(one));
    }
    if (run_.tried) {
      const auto& [at, sentence] = *run_.tried;
      add(Weight::Note, kTriedRemark, tr("a change that was tried"), placeOf(at), sentence);
    }
  }

  [[nodiscard]] bool launched() const { return !run_.launches.empty() || run_.end != ProgramEnd::Exited; }

  void launches() {
    if (launched()) { return; }
    const bool faulty = std::ranges::find(made_, Weight::Fault, &verdict::Remark::weight) != made_.end();
    add(run_.status != 0 && !faulty ? Weight::Refusal : Weight::Note, kNoLaunchRemark, tr("no launch"), {},
        withoutLaunches(run_, withArguments_));
  }

  void files() {
    for (const RefusedFile& file : run_.refusedFiles) {
      if (!file.writes() && launched() && sentence(file) != run_.message) {
        add(Weight::Note, kFileRemark, tr("a file"), placeOf(file.at), sentence(file));
      }
    }
  }

  void end(bool refused) {
    // One mistake is one finding: what ended the program may have been reported already.
    const auto told = [&](const HostFinding& one) { return rowOf(one.kind).fault && one.at == run_.endedAt; };
    if (run_.message.empty() || std::ranges::any_of(run_.findings, told) || (refused && !run_.problems.empty())) {
      return;
    }
    const bool crashed = run_.end == ProgramEnd::Crashed || run_.end == ProgramEnd::Uncaught;
    add(refused   ? Weight::Refusal
        : crashed ? Weight::Fault
                  : Weight::Note,
        kEndRemark, tr("the program ended"), placeOf(run_.endedAt), run_.message);
  }

  const ProgramRun& run_;
  bool withArguments_;
  std::vector<verdict::Remark> made_;
};

}  // namespace

std::vector<verdict::Remark> remarksOf(const ProgramRun& run, bool withArguments) {
  return Remarks(run, withArguments).all();
}

std::string withoutLaunches(const ProgramRun& run, bool withArguments) {
  std::string text = tr("The program launched no kernel");
  if (run.end == ProgramEnd::Exited) { text += trf(": it ended with status {}", run.status); }
  text += '.';
  if (!withArguments) {
    text += tr(" It was given no arguments: if it takes any, write them at the end, after --, as in \"-- 1024\".");
  }
  for (const RefusedFile& file : run.refusedFiles) {
    if (!file.writes()) { text += " " + sentence(file); }
  }
  return text;
}

}  // namespace haloscope::running
