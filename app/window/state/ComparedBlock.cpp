#include "state/ComparedBlock.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

#include "experiment/InputData.h"
#include "language/Text.h"
#include "program/SourceLocation.h"
#include "provenance/WritingBlock.h"

namespace haloscope {

namespace {

std::int64_t countOf(const std::vector<std::int64_t>& extents) {
  return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

std::string shapeText(const std::vector<std::int64_t>& extents) { return fmt::format("{}", fmt::join(extents, "×")); }

bool writes(const experiment::Experiment& experiment, std::int64_t element) {
  return experiment.writes.writer(element).has_value();
}

/// The experiment whose block writes the cell. Throws InputError if there is none, and as experiment::run() does.
std::shared_ptr<const experiment::Experiment> experimentWriting(const ComparedRequest& compared, const CommonCell& cell,
                                                                const std::stop_token& stop) {
  experiment::RunOptions options;
  options.stop = stop;
  const opening::Request& request = compared.request;
  std::shared_ptr<const experiment::Experiment> experiment = compared.known;
  if (experiment == nullptr) {
    const KernelFile file = request.reread ? opening::readKernel(request).proposed.file : request.file;
    experiment = experiment::run(file, request.choice, options);
  }
  const ObjectId output = experiment->footprint.output;
  if (output == kNone) { throw InputError(tr("its block writes no array")); }
  const std::vector<std::int64_t>& extents = experiment->recording->extents[output];
  if (countOf(extents) != countOf(cell.extents)) {
    throw InputError(
        trf("its output has {} elements, not {}: the cell is not in it", shapeText(extents), shapeText(cell.extents)));
  }
  if (writes(*experiment, cell.element)) { return experiment; }
  const Program& program = *experiment->program;
  const auto block =
      provenance::blockWriting(program, experiment::initialLaunch(*experiment), output, cell.element, stop);
  if (stop.stop_requested()) { throw experiment::Cancelled{}; }
  if (!block) { throw InputError(tr("no thread writes the cell")); }
  experiment::Choice choice = request.choice;
  choice.block = block;
  options.known = experiment;
  experiment = experiment::run(experiment->file, choice, options);
  if (!writes(*experiment, cell.element)) {
    throw InputError(tr("the block that writes the cell does not get that far in its recording"));
  }
  return experiment;
}

}  // namespace

ComparedBlock compareBlock(const ComparedRequest& compared, const CommonCell& cell, const std::stop_token& stop) {
  ComparedBlock block;
  try {
    block.experiment = experimentWriting(compared, cell, stop);
  } catch (const std::exception& error) {
    block.problem = error.what();
    return block;
  }
  block.tally = recording::BlockTally(*block.experiment->recording);
  try {
    if (auto traced = experiment::traceOutput(*block.experiment, cell.element, stop)) {
      block.trace = std::make_shared<const experiment::TracedOutput>(std::move(*traced));
    }
  } catch (const std::exception&) {
    block.trace = nullptr;  // the block is shown all the same, without the ways of its operands
  }
  if (stop.stop_requested()) { throw experiment::Cancelled{}; }
  return block;
}

recording::Lockstep::Sections intervalSections(const recording::Recording& recording) { return recording.intervals; }

recording::Lockstep::Sections cellPhases(const ComparedBlock& block) {
  if (block.trace == nullptr) { return {}; }
  const auto end = static_cast<std::uint32_t>(block.experiment->recording->steps.size());
  const provenance::OutputTrace& trace = block.trace->trace;
  const std::uint32_t written = trace.step + 1;
  std::optional<std::uint32_t> first;
  std::uint32_t loaded = 0;
  for (const provenance::Operand& operand : trace.operands) {
    if (operand.kind != provenance::Operand::Kind::Element) { continue; }
    first = std::min(first.value_or(operand.loadedAt), operand.loadedAt);
    loaded = std::max(loaded, operand.loadedAt + 1);
  }
  const std::uint32_t begin = first.value_or(trace.step);
  loaded = std::clamp(loaded, begin, written);
  return {{0, begin}, {begin, loaded}, {loaded, written}, {written, end}};
}

const char* cellPhaseName(std::size_t phase) {
  static constexpr std::array kNames = {trMark("operands not loaded yet"), trMark("operands being loaded"),
                                        trMark("operands loaded"), trMark("written")};
  return tr(kNames.at(std::min(phase, kNames.size() - 1)));
}

}  // namespace haloscope
