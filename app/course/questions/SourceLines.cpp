#include "questions/SourceLines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <set>
#include <sstream>

#include "faults/FaultChecks.h"
#include "language/Text.h"
#include "program/BarrierRemoval.h"
#include "program/SourceLocation.h"
#include "questions/Execution.h"

namespace haloscope::questions {

namespace {

int lineOf(const experiment::Experiment& experiment, std::size_t step) {
  return experiment.program->statements[experiment.recording->steps[step].statement].range.line;
}

/// Barriers without which two threads of the chosen block race.
std::vector<int> racingBarriers(Execution& execution) {
  const experiment::Experiment& experiment = execution.recorded();
  std::vector<int> lines;
  for (const int line : experiment.barriers) {
    const Program without = withoutBarriers(*experiment.withBarriers, {line});
    Launch launch = experiment::initialLaunch(experiment);
    faults::FaultOptions options;
    options.blocks = {linear(experiment.block, experiment.configuration.grid)};
    const faults::FaultReport report = faults::findFaults(without, launch, options);
    const bool races = std::ranges::any_of(report.findings, [](const faults::Finding& finding) {
      return finding.kind == faults::FindingKind::RaceShared || finding.kind == faults::FindingKind::RaceGlobal ||
             finding.kind == faults::FindingKind::RaceCluster;
    });
    if (races) { lines.push_back(line); }
  }
  return lines;
}

std::vector<int> firstLoadOfHalo(Execution& execution) {
  const experiment::Experiment& experiment = execution.recorded();
  std::uint32_t first = kNone;
  for (const recording::PointView& point : experiment.footprint.loadPoints) {
    if (point.role == recording::Role::Halo) { first = std::min(first, point.step); }
  }
  return first == kNone ? std::vector<int>{} : std::vector{lineOf(experiment, first)};
}

std::vector<int> mostSectors(Execution& execution) {
  const experiment::Experiment& experiment = execution.counted();
  std::uint64_t most = 0;
  std::set<int> lines;
  for (std::size_t i = 0; i < experiment.requests.statements.size(); ++i) {
    const std::uint64_t sectors = experiment.requests.statements[i].sectors;
    if (sectors == 0 || sectors < most) { continue; }
    if (sectors > most) { lines.clear(); }
    most = sectors;
    lines.insert(experiment.program->statements[i].range.line);
  }
  return {lines.begin(), lines.end()};
}

std::vector<int> diverging(Execution& execution) {
  const std::vector<std::uint64_t>& statements = execution.divergenceOfBlock().statements();
  std::set<int> lines;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    if (statements[i] > 0) { lines.insert(execution.program().statements[i].range.line); }
  }
  return {lines.begin(), lines.end()};
}

std::vector<int> storesOfOutput(Execution& execution) {
  const Program& program = execution.program();
  const ObjectId output = execution.output();
  std::set<int> lines;
  for (const Instruction& code : program.code) {
    if (writesMemory(code.op) && code.aux == output) { lines.insert(code.range.line); }
  }
  return {lines.begin(), lines.end()};
}

constexpr std::array kLines = {
    NamedLines{"barrier_whose_removal_races", trMark("barriers without which two threads of the chosen block race"),
               Origin::Executed, racingBarriers},
    NamedLines{"first_load_of_halo", trMark("where the chosen block first loads a halo cell"), Origin::Executed,
               firstLoadOfHalo},
    NamedLines{"line_with_most_sectors", trMark("where most 32-byte sectors of global memory are asked for"),
               Origin::Executed, mostSectors},
    NamedLines{"line_that_diverges", trMark("branches at which a warp of the chosen block divides"), Origin::Executed,
               diverging},
    NamedLines{"store_line", trMark("where the output is stored"), Origin::Text, storesOfOutput},
};

bool takesPart(const recording::Recording& recording, std::size_t step, std::uint32_t thread) {
  return (recording.warpState(step, thread / kWarpSize).active >> thread % kWarpSize & 1U) != 0;
}

/// The steps at the first source line that contains a text and that the block, or the thread, executes.
std::vector<std::size_t> stepsAt(const experiment::Experiment& experiment, const std::string& text,
                                 std::optional<std::uint32_t> thread) {
  if (text.empty()) { throw InputError(tr("a piece of a source line is missing")); }
  const recording::Recording& recording = *experiment.recording;
  std::istringstream source(experiment.file.text);
  std::string line;
  bool executed = false;
  for (int number = 1; std::getline(source, line); ++number) {
    if (number < experiment.file.firstCodeLine || line.find(text) == std::string::npos) { continue; }
    std::vector<std::size_t> steps;
    for (std::size_t step = 0; step < recording.steps.size(); ++step) {
      const StatementId statement = recording.steps[step].statement;
      if (statement == kNone) { continue; }
      const SourceRange& range = recording.program->statements[statement].range;
      if (range.line > number || std::max(range.line, range.endLine) < number) { continue; }
      executed = true;
      if (!thread || takesPart(recording, step, *thread)) { steps.push_back(step); }
    }
    if (!steps.empty()) { return steps; }
  }
  throw InputError(
      executed ? trf("the thread takes part in no step at \"{}\"", text)
               : trf("block {} executes no line that contains \"{}\"", haloscope::text(experiment.block), text));
}

}  // namespace

std::span<const NamedLines> namedLines() { return kLines; }

const NamedLines* findLines(const std::string& name) {
  const auto found = std::ranges::find(kLines, name, &NamedLines::name);
  return found == kLines.end() ? nullptr : &*found;
}

std::size_t stepAt(const experiment::Experiment& experiment, const std::string& text,
                   std::optional<std::uint32_t> thread) {
  std::string wanted = text;
  std::size_t which = 1;
  if (const std::size_t hash = text.rfind('#'); hash != std::string::npos) {
    const char* const end = text.data() + text.size();
    if (const auto [stop, error] = std::from_chars(text.data() + hash + 1, end, which);
        error == std::errc() && stop == end && which > 0) {
      wanted = text.substr(0, hash);
    } else {
      which = 1;
    }
  }
  const std::vector<std::size_t> steps = stepsAt(experiment, wanted, thread);
  if (which > steps.size()) {
    throw InputError(trn("the line with \"{}\" has {} step, not {}", "the line with \"{}\" has {} steps, not {}",
                         steps.size(), wanted, steps.size(), which));
  }
  return steps[which - 1];
}

std::size_t timesAt(const experiment::Experiment& experiment, const std::string& text) {
  const std::vector<std::size_t> steps = stepsAt(experiment, text, std::nullopt);
  const StatementId statement = experiment.recording->steps[steps.front()].statement;
  return static_cast<std::size_t>(std::ranges::count_if(steps, [&](std::size_t step) {
    return experiment.recording->steps[step].statement == statement && takesPart(*experiment.recording, step, 0);
  }));
}

}  // namespace haloscope::questions
