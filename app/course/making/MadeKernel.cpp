#include "making/MadeKernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "analysis/ElementName.h"
#include "experiment/Experiment.h"
#include "faults/Finding.h"
#include "frontend/Frontend.h"
#include "frontend/SourceTokens.h"
#include "inputs/ChosenData.h"
#include "language/Text.h"
#include "program/SameCode.h"
#include "program/SourceLocation.h"
#include "questions/Execution.h"
#include "questions/Questions.h"

namespace haloscope::making {

namespace {

using checking::CheckReport;
using faults::Finding;
using faults::FindingKind;

/// Warp instructions of a block. A task's blocks need some thousands.
constexpr std::uint64_t kStepBudget = 4'000'000;

/// "__global__ void stencil(const float* in, float* out, int N)", on one line.
std::string signatureOf(const std::string& text) {
  const std::size_t begin = text.find("__global__");
  if (begin == std::string::npos) { return {}; }
  std::string signature;
  for (std::size_t at = begin; at < text.size() && text[at] != '{'; ++at) {
    const bool blank = text[at] == ' ' || text[at] == '\n';
    if (!blank) { signature += text[at]; }
    if (blank && !signature.ends_with(' ')) { signature += ' '; }
  }
  while (signature.ends_with(' ')) { signature.pop_back(); }
  return signature;
}

bool sameParameters(const Program& one, const Program& other) {
  return std::ranges::equal(one.parameters, other.parameters, [&](const Parameter& mine, const Parameter& theirs) {
    const bool arrays = mine.object != kNone && theirs.object != kNone;
    return mine.name == theirs.name && mine.type == theirs.type &&
           (!arrays || one.objects[mine.object].element == other.objects[theirs.object].element);
  });
}

/// Nothing but blanks behind the header.
bool isBlank(const std::string& text) {
  const std::size_t header = text.find("*/");
  const std::size_t begin = KernelFile::hasHeader(text) && header != std::string::npos ? header + 2 : 0;
  return text.find_first_not_of(" \t\r\n", begin) == std::string::npos;
}

/// The first directive that includes a file of one's own, or a kernel file. The toolkit's headers are in <>.
struct Inclusion {
  int line = 0;
  std::string name;
};
std::optional<Inclusion> inclusionIn(const std::string& text) {
  const frontend::SourceTokens source(text);
  for (const frontend::SourceTokens::Directive& one : source.directives()) {
    const bool ofOthers = one.quoted || one.name.ends_with(".cu") || one.name.ends_with(".cuh");
    if (one.word == "include" && ofOthers) { return Inclusion{one.tokens.front().line, one.name}; }
  }
  return std::nullopt;
}

/// With a full stop, and with a place where there is one.
std::string placed(const SourceRange& where, std::string message) {
  if (!message.ends_with('.') && !message.ends_with('?') && !message.ends_with("。") && !message.ends_with("？")) {
    message += tr(".");
  }
  return where.valid() ? trf("Line {}: {}", where.line, message) : message;
}

/// It is not at its end, whether or not it comes there.
bool isUnfinished(const CheckReport& report, const Finding& finding) {
  return report.program != nullptr &&
         (finding.kind == FindingKind::Endless || finding.kind == FindingKind::Unsupported);
}
bool isUnfinished(const CheckReport& report) {
  return std::ranges::any_of(report.findings, [&](const Finding& finding) { return isUnfinished(report, finding); });
}

bool isRace(const Finding& finding) {
  return finding.kind == FindingKind::RaceShared || finding.kind == FindingKind::RaceGlobal;
}

/// The one that explains most. A kernel that does not come to its end does much that is wrong as it goes on, threads
/// beyond the end of an array or a row meet the elements of others there, and those that miss a barrier leave work
/// undone. Otherwise the gravest.
const Finding& first(const CheckReport& report) {
  const auto rank = [&](const Finding& finding) {
    if (isUnfinished(report, finding)) { return 0; }
    // An index may itself come from a race elsewhere.
    const auto isElsewhere = [&](const Finding& other) { return isRace(other) && other.object != finding.object; };
    switch (finding.kind) {
      case FindingKind::OutOfBounds:
        return std::ranges::none_of(report.findings, isElsewhere) ? 1 : 3;
      case FindingKind::EarlyReturn:
      case FindingKind::DivergentBarrier:
        return 2;
      default:
        return 3;
    }
  };
  return *std::ranges::min_element(report.findings, {},
                                   [&](const Finding& finding) { return std::pair(rank(finding), finding.kind); });
}

/// "out[2][3][4] is 0.25 and should be 0.5".
std::string wrongCell(const CheckReport& report) {
  if (report.wrongPoints.empty() || report.program == nullptr) { return {}; }
  const experiment::WrongPoint& point = report.wrongPoints.front();
  const ObjectId object = report.program->findObject(point.array);
  const std::string cell = object == kNone ? fmt::format("{}[{}]", point.array, point.element)
                                           : analysis::elementName(*report.program, object, point.element);
  return std::isnan(point.computed) ? trf("{} is not a number and should be {:.6g}", cell, point.expected)
                                    : trf("{} is {:.6g} and should be {:.6g}", cell, point.computed, point.expected);
}

bool holds(double value, const std::string& relation, double bound) {
  constexpr double kRounding = 1e-9;
  const double slack = kRounding * std::max(1.0, std::abs(bound));
  if (relation == "<=") { return value <= bound + slack; }
  if (relation == ">=") { return value >= bound - slack; }
  return std::abs(value - bound) <= slack;
}

/// Sizes at which tiles do not end where the grid does, and other values of what is passed beside them.
Bindings otherSizes(const KernelFile& file) {
  constexpr std::int64_t kLess = 3;
  Bindings other = file.defaults();
  for (const SizeParameter& size : file.sizes) {
    const std::int64_t now = size.defaultValue;
    other[size.name] = now - kLess >= size.minimum ? now - kLess : std::min(now + kLess, size.maximum);
  }
  for (const Tunable* const one : file.coefficientsOfProblem()) {
    other[one->name] = one->defaultValue < one->maximum ? one->defaultValue + 1 : one->minimum;
  }
  return other;
}

/// "width = 40, height = 28, FILTER_RADIUS = 1".
std::string problemText(const KernelFile& file, const Bindings& bindings) {
  std::string text = file.sizesText(bindings);
  for (const Tunable* const one : file.coefficientsOfProblem()) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", one->name, bindings.at(one->name));
  }
  return text;
}

/// Other random numbers than those of a check for the input and the weights.
inputs::ChosenData otherData(const KernelFile& file) {
  constexpr std::uint64_t kSeed = 20'817;
  inputs::ChosenData data;
  if (!file.computes) { return data; }
  std::vector<std::string> names = file.computes->weightArrays();
  names.push_back(file.computes->input);
  for (const std::string& name : names) {
    data[name] = {.pattern = inputs::Pattern::Random, .seed = kSeed + data.size()};
  }
  return data;
}

/// Judges one text, step by step; each step may be the last.
class Judge {
 public:
  Judge(const MakeTask& task, const std::string& text, const Catalogue& catalogue, const std::stop_token& stop)
      : task_(task), catalogue_(catalogue), stop_(stop) {
    made_.file = task.skeleton;
    made_.file.text = text;
    made_.bindings = task.skeleton.defaults();
  }

  [[nodiscard]] MadeKernel made() {
    if (readable() && runs() && elsewhereToo()) { count(); }
    return std::move(made_);
  }

 private:
  /// Nothing more is to be found out.
  bool end(Outcome outcome, std::string sentence) {
    made_.outcome = outcome;
    made_.sentence = std::move(sentence);
    return false;
  }

  bool readable() {
    const std::string& text = made_.file.text;
    if (isBlank(text)) { return end(Outcome::NothingWritten, tr("The file is empty.")); }
    if (const auto included = inclusionIn(text)) {
      return end(Outcome::NotRead,
                 trf("Line {} includes {}: a solution has all its lines in one file.", included->line, included->name));
    }
    const Program skeleton = experiment::compile(task_.skeleton, made_.bindings);
    made_.file.kernel = skeleton.kernel;
    const std::string signature = signatureOf(task_.skeleton.text);
    try {
      program_ = experiment::compile(made_.file, made_.bindings);
    } catch (const frontend::NoSuchKernel&) {
      return end(Outcome::NotRead,
                 trf("There is no kernel {}. Keep the task's signature: {}", skeleton.kernel, signature));
    } catch (const frontend::CompileError& error) {
      made_.report = checked(made_.bindings);
      return end(Outcome::NotRead, trf("It cannot be read. {}", placed(error.where(), error.message())));
    }
    if (!sameParameters(program_, skeleton)) {
      return end(Outcome::NotRead,
                 trf("Its parameters are not the task's. Keep the signature, names included: {}", signature));
    }
    if (sameCode(program_, skeleton)) {
      return end(Outcome::NothingWritten, tr("Nothing is written yet: the kernel does what the skeleton does."));
    }
    const LaunchConfiguration launch = made_.file.configuration(made_.bindings);
    if (const std::int64_t shared = program_.sharedBytes() + launch.dynamicSharedBytes;
        shared > launch.sharedBytesLimit) {
      return end(Outcome::NotRead,
                 trf("It cannot be launched: a block needs {} bytes of shared memory; a block can have at most {}.",
                     shared, launch.sharedBytesLimit));
    }
    for (const ArrayDeclaration& array : made_.file.arrays) {
      if (program_.findObject(array.name) != kNone) { continue; }
      made_.hint = task_.hintFor(rowOf(FindingKind::WrongResult).name);
      return end(Outcome::Wrong, trf("The kernel does not read {}, from which the result is computed.", array.name));
    }
    return true;
  }

  [[nodiscard]] CheckReport checked(const Bindings& bindings, const inputs::ChosenData& data = {}) const {
    return checking::check(made_.file, bindings, {.stepBudget = kStepBudget, .data = data, .stop = stop_});
  }

  [[nodiscard]] std::string hintFor(const CheckReport& report, const Finding& finding) const {
    if (isUnfinished(report, finding) && finding.kind != FindingKind::Endless) {
      return tr(
          "How often does the loop go round? A block of this task needs some thousand instructions of its warps.");
    }
    if (finding.kind == FindingKind::WrongResult && report.roundedToFloat) {
      return tr("Which variable, literal or function is of type float? 0.5f is one, 0.5 is a double.");
    }
    // Which points of the border count is what a task says of outputs that are not written.
    const auto border = task_.hints.find(rowOf(FindingKind::UnwrittenOutput).name);
    if (finding.kind == FindingKind::WrongResult && report.onlyAtBorder && border != task_.hints.end()) {
      return tr(border->second);
    }
    return task_.hintFor(rowOf(finding.kind).name);
  }

  /// What is wrong according to a report, as a sentence; empty: nothing. `made_.hint` is set.
  std::string wrongIn(const CheckReport& report) {
    if (!report.findings.empty()) {
      const Finding& finding = first(report);
      made_.hint = hintFor(report, finding);
      made_.where = finding.where;
      return placed(finding.where, finding.message);
    }
    if (!report.notChecked.empty()) { return report.notChecked; }
    if (report.evidence.matches() != false) { return {}; }
    made_.hint = task_.hintFor(rowOf(FindingKind::WrongResult).name);
    return placed({}, wrongCell(report));
  }

  bool runs() {
    try {
      made_.report = checked(made_.bindings);
    } catch (const UserError& error) { return end(Outcome::DoesNotEnd, placed(error.where(), error.message())); }
    std::string wrong = wrongIn(made_.report);
    if (wrong.empty()) { return true; }
    if (isUnfinished(made_.report)) { return end(Outcome::DoesNotEnd, std::move(wrong)); }
    const bool onlyWrong = std::ranges::all_of(made_.report.findings, [](const Finding& finding) {
      return finding.kind == FindingKind::WrongResult || finding.kind == FindingKind::UnwrittenOutput;
    });
    return end(onlyWrong ? Outcome::Wrong : Outcome::Faults, std::move(wrong));
  }

  /// On other data, and at other sizes.
  bool elsewhereToo() {
    const KernelFile& file = made_.file;
    if (const inputs::ChosenData data = otherData(file); !data.empty()) {
      CheckReport report = checked(made_.bindings, data);
      if (const std::string wrong = wrongIn(report); !wrong.empty()) {
        made_.report = std::move(report);
        made_.data = data;
        return end(Outcome::OnlyTheseData,
                   trf("On one set of data the result is right, on another it is not. {} What is stored must be "
                       "computed from {}.",
                       wrong, file.computes->input));
      }
    }
    const Bindings other = otherSizes(file);
    if (other == made_.bindings) { return true; }
    try {
      CheckReport report = checked(other);
      if (const std::string wrong = wrongIn(report); !wrong.empty()) {
        const std::string right = problemText(file, made_.bindings);
        made_.report = std::move(report);
        made_.bindings = other;
        return end(Outcome::OnlyThisSize,
                   trf("At {} the result is right, at {} it is not. {}", right, problemText(file, other), wrong));
      }
    } catch (const InputError& error) {
      if (!canLaunchSkeleton(other)) { return true; }  // these sizes are not for this task
      return end(Outcome::OnlyThisSize,
                 trf("At {} the result is right, at {} it is not. {}", problemText(file, made_.bindings),
                     problemText(file, other), placed(error.where(), error.message())));
    }
    return true;
  }

  [[nodiscard]] bool canLaunchSkeleton(const Bindings& bindings) const {
    try {
      static_cast<void>(checking::check(task_.skeleton, bindings, {.stepBudget = kStepBudget, .stop = stop_}));
      return true;
    } catch (const InputError&) { return false; }
  }

  [[nodiscard]] ReachedGoal reachedGoal(const Goal& goal, questions::Execution& execution) const {
    ReachedGoal reached{.goal = goal};
    try {
      reached.value = questions::answer(goal.what, execution).number;
      reached.bound = questions::answer(goal.bound, execution).number;
      reached.reached = holds(reached.value, goal.relation, reached.bound);
    } catch (const std::runtime_error& problem) { reached.problem = problem.what(); }
    return reached;
  }

  void count() {
    questions::Execution execution(made_.file, {made_.file.id, made_.bindings}, stop_);
    for (const Goal& goal : task_.goals) { made_.goals.push_back(reachedGoal(goal, execution)); }
    const auto missed = std::ranges::find(made_.goals, false, &ReachedGoal::reached);
    if (missed == made_.goals.end()) {
      made_.outcome = Outcome::Solved;
      made_.sentence = task_.goals.empty() ? tr("Solved: the result is right.")
                                           : tr("Solved: the result is right, and all goals are reached.");
    } else {
      made_.outcome = Outcome::GoalsMissed;
      made_.sentence =
          trf("The result is right, but a goal is missed ({}: {}).", tr(missed->goal.says), missed->text());
      if (!missed->goal.hint.empty()) { made_.hint = tr(missed->goal.hint); }
    }
    placeAndCompare(figures::rungCosts(execution.counted(), questions::answer("outputs", execution).number));
  }

  void placeAndCompare(const figures::RungCosts& own) {
    made_.place = placeOnClimb(task_, catalogue_, own, stop_);
    if (made_.place) { made_.place->reached = made_.outcome == Outcome::Solved; }
    const KernelFile* const rung = catalogue_.find(task_.rung);
    if (rung == nullptr) { return; }
    const Bindings bindings = rung->bind(experiment::carryOver(made_.bindings, *rung));
    if (sameCode(program_, experiment::compile(*rung, bindings))) { made_.sameAs = rung->id; }
  }

  const MakeTask& task_;
  const Catalogue& catalogue_;
  std::stop_token stop_;
  MadeKernel made_;
  Program program_;
};

}  // namespace

const char* name(Outcome outcome) {
  constexpr std::array kNames = {"nothing-written", "not-read",       "does-not-end", "faults", "wrong",
                                 "only-these-data", "only-this-size", "goals-missed", "solved"};
  return kNames.at(static_cast<std::size_t>(outcome));
}

std::string ReachedGoal::text() const {
  if (!problem.empty()) { return problem; }
  const char* const sign = signOf(goal);
  const std::string has = questions::numberText(value), wanted = questions::numberText(bound);
  return reached ? fmt::format("{} {} {}", has, sign, wanted) : trf("{}, not {} {}", has, sign, wanted);
}

std::string MadeKernel::sameAsText() const {
  return sameAs.empty() ? std::string() : trf("Instruction for instruction it is the catalogue's {}.", sameAs);
}

judging::CheckedKernel MadeKernel::asChecked(const std::string& path) const {
  judging::CheckedKernel row{.file = path,
                             .shown = path,
                             .kernel = file.kernel,
                             .text = file,
                             .bindings = bindings,
                             .compilerEnd = report.compilerEnd,
                             .scope = verdict::Scope::GivenLaunch};
  if (report.program != nullptr) {
    row.report = report;
    return row;
  }
  for (const Finding& finding : report.findings) { row.errors.emplace_back(path, finding.where, finding.message); }
  if (row.errors.empty()) { row.errors.push_back(judging::atNowhere(path, sentence)); }
  return row;
}

MadeKernel judge(const MakeTask& task, const std::string& text, const Catalogue& catalogue,
                 const std::stop_token& stop) {
  return Judge(task, text, catalogue, stop).made();
}

}  // namespace haloscope::making
