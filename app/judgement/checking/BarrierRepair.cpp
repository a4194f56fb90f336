#include "checking/BarrierRepair.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checking/TextFixes.h"
#include "frontend/SourceTokens.h"
#include "language/Text.h"
#include "work/Deadline.h"

namespace haloscope::checking {

namespace {

constexpr std::chrono::seconds kLongestMending{1};
constexpr std::size_t kMostTried = 6;
constexpr std::size_t kBehind = 3;  ///< places behind both accesses, for a race of one turn of a loop with the next

/// The end of a statement.
struct StatementEnd {
  SourceRange at;  ///< empty, behind it
  int depth = 0;   ///< of braces
};

/// The ends of statements in a range of lines, where a statement may follow or may not: what is tried is compiled.
std::vector<StatementEnd> statementEnds(const std::string& text, const SourceRange& within) {
  const frontend::SourceTokens source(text);
  std::vector<StatementEnd> ends;
  int depth = 0, parentheses = 0;
  for (const frontend::SourceToken& token : source.all()) {
    if (token.inDirective || token.kind != frontend::SourceToken::Kind::Punctuator) { continue; }
    const std::string_view mark = token.spelling;
    parentheses += mark == "(" ? 1 : mark == ")" ? -1 : 0;
    depth += mark == "{" ? 1 : mark == "}" ? -1 : 0;
    const bool isEnd = (mark == ";" && parentheses == 0) || mark == "}";
    if (!isEnd || token.line < within.line || token.line > within.endLine) { continue; }
    ends.push_back({{token.line, token.column + 1, token.line, token.column + 1}, depth});
  }
  return ends;
}

/// The places at which a barrier is tried: between the accesses, the outermost first, then behind both.
std::vector<StatementEnd> placesToTry(const std::string& text, const SourceRange& kernel, const faults::Finding& race) {
  const auto [low, high] = std::minmax(race.where.line, race.other.line);
  std::vector<StatementEnd> between, behind;
  for (const StatementEnd& one : statementEnds(text, kernel)) {
    if (one.at.line >= low && one.at.line < high) { between.push_back(one); }
    if (one.at.line >= high) { behind.push_back(one); }
  }
  std::ranges::stable_sort(between, {}, &StatementEnd::depth);
  if (between.size() > kMostTried - kBehind) { between.resize(kMostTried - kBehind); }
  behind.resize(std::min(behind.size(), kMostTried - between.size()));
  between.insert(between.end(), behind.begin(), behind.end());
  return between;
}

/// That of a line, or of the next one if that is less deep and no block ends there: the line may belong to an if.
std::string indentAfter(const std::string& text, int line) {
  std::istringstream lines(text);
  std::string one, indent;
  for (int number = 1; number <= line + 1 && std::getline(lines, one); ++number) {
    const std::size_t begin = one.find_first_not_of(" \t");
    if (number < line || begin == std::string::npos) { continue; }
    if (number == line || (begin < indent.size() && one[begin] != '}')) { indent = one.substr(0, begin); }
  }
  return indent;
}

}  // namespace

void mendRace(CheckReport& report, const KernelFile& file, const Bindings& bindings, const CheckOptions& options) {
  const auto isRace = [](const faults::Finding& one) { return one.kind == faults::FindingKind::RaceShared; };
  if (file.isForTask() || !report.program || report.findings.empty() || !std::ranges::all_of(report.findings, isRace)) {
    return;
  }
  faults::Finding& race = report.findings.front();
  if (!race.where.valid() || !race.other.valid()) { return; }
  for (const StatementEnd& place : placesToTry(file.text, report.program->kernelRange, race)) {
    const faults::TextEdit edit{place.at, "\n" + indentAfter(file.text, place.at.line) + "__syncthreads();"};
    KernelFile changed = file;
    changed.text = withEdits(file.text, {edit});
    try {
      const CheckReport mended = check(changed, bindings, options);
      if (mended.program == nullptr || !mended.findings.empty() || mended.evidence.matches() == false) { continue; }
    } catch (const UserError&) { continue; }  // no statement can follow there
    race.remedy = trf("with a __syncthreads() after line {} nothing is found any more", place.at.line);
    race.fix = {edit};
    return;
  }
}

void mendRace(CheckReport& report, const experiment::Experiment& experiment, const std::stop_token& stop) {
  if (!experiment.choice.withoutBarriers.empty() || report.lab) { return; }
  const work::Deadline deadline(kLongestMending, stop);
  try {
    mendRace(report, experiment.file, experiment.bindings,
             {.order = experiment.choice.order,
              .orderSeed = experiment.choice.orderSeed,
              .data = experiment.choice.data,
              .stop = deadline.token()});
  } catch (const experiment::Cancelled&) {
    if (stop.stop_requested()) { throw; }
  }
}

}  // namespace haloscope::checking
