#include "questions/Execution.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <utility>

#include "faults/OutputCoverage.h"
#include "language/Text.h"
#include "program/SourceLocation.h"
#include "provenance/OutputTrace.h"
#include "provenance/WritingBlock.h"
#include "recording/GridShape.h"
#include "simt/Executor.h"

namespace haloscope::questions {

using recording::GridPoint;
using recording::GridShape;

namespace {

/// Tracing more takes longer than a reader waits.
constexpr std::uint64_t kMostTracedBlocks = 512, kMostTracedTaps = 1 << 18;

}  // namespace

InputError errorOf(std::string sentence) {
  while (!sentence.empty() && sentence.back() == '.') { sentence.pop_back(); }
  return InputError(sentence);
}

Execution::Execution(const KernelFile& file, const experiment::Choice& choice, std::stop_token stop,
                     std::shared_ptr<const experiment::Experiment> known)
    : file_(file),
      choice_(choice),
      stop_(std::move(stop)),
      bindings_(file.bind(choice.bindings)),
      configuration_(file.configuration(bindings_)),
      before_(std::move(known)) {}

experiment::RunOptions Execution::options(bool record, bool count) const {
  experiment::RunOptions options;
  options.record = record;
  options.countGrid = count;
  options.stop = stop_;
  options.known = known();
  if (options.known == nullptr) { options.known = before_; }
  return options;
}

const experiment::Experiment& Execution::lowered() {
  if (counted_) { return *counted_; }
  if (recorded_) { return *recorded_; }
  if (!lowered_) { lowered_ = experiment::run(file_, choice_, options(false, false)); }
  return *lowered_;
}

const experiment::Experiment& Execution::counted() {
  if (!counted_) { counted_ = experiment::run(file_, choice_, options(false, true)); }
  experiment::throwIfFaulty(file_, counted_->fault);
  return *counted_;
}

const experiment::Experiment& Execution::recorded() {
  if (!recorded_) { recorded_ = experiment::run(file_, choice_, options(true, false)); }
  if (recorded_->recording->truncated) {
    throw InputError(trf("{}: block {} was not recorded to its end: {}", file_.id, text(recorded_->block),
                         recorded_->recording->message));
  }
  return *recorded_;
}

std::shared_ptr<const experiment::Experiment> Execution::keptRecording() {
  static_cast<void>(recorded());
  return recorded_;
}

const experiment::Experiment& Execution::recordedBlockOf(std::int64_t element) {
  const auto writes = [&](const std::shared_ptr<const experiment::Experiment>& experiment) {
    return experiment && std::ranges::binary_search(experiment->footprint.outputs, element);
  };
  if (writes(recorded_)) { return *recorded_; }
  if (writes(recordedOther_)) { return *recordedOther_; }
  const ObjectId array = output();
  const Launch launch = experiment::initialLaunch(lowered());
  const auto block = provenance::blockWriting(program(), launch, array, element, stop_);
  if (!block) { throw InputError(trf("no thread writes element {} of the output", element)); }
  experiment::Choice choice = choice_;
  choice.block = block;
  recordedOther_ = experiment::run(file_, choice, options(true, false));
  return *recordedOther_;
}

const figures::InteriorCount& Execution::interior() {
  if (!interior_) {
    interior_ = figures::countInterior(file_, bindings_, program(), stop_);
    if (!interior_) { throw InputError(trf("{}: no size has an interior block", file_.id)); }
  }
  return *interior_;
}

ObjectId Execution::output() {
  const ObjectId output = file_.computes ? program().findObject(file_.computes->output)
                                         : figures::outputOf(file_, program(), counted().grid);
  if (output == kNone) { throw InputError(trf("{}: the launch writes no array", file_.id)); }
  return output;
}

const std::vector<std::int64_t>& Execution::outputExtents() { return lowered().launch->arrays[output()].extents; }

void Execution::observe(simt::Observer& observer, std::optional<Dim3> block) {
  const Program& observed = program();
  Launch launch = experiment::initialLaunch(lowered());
  const std::array<simt::Observer*, 1> observers{&observer};
  simt::ExecuteOptions how;
  how.order = choice_.order;
  how.orderSeed = choice_.orderSeed;
  how.stop = stop_;
  if (block) { how.onlyBlocks = {linear(*block, configuration_.grid)}; }
  experiment::throwIfFaulty(file_, experiment::faultOf(simt::execute(observed, launch, observers, how)));
}

const std::vector<std::int64_t>& Execution::kept() {
  if (!kept_) {
    faults::OutputCoverage coverage(program(), *lowered().launch, output());
    observe(coverage);
    kept_ = coverage.unwritten();
  }
  return *kept_;
}

const analysis::Products& Execution::products() {
  if (!products_) {
    analysis::ZeroProducts counter(program());
    observe(counter);
    products_ = counter.products();
  }
  return *products_;
}

const analysis::BranchDivergence& Execution::divergence() {
  if (!divergence_) {
    analysis::BranchDivergence counter(program());
    observe(counter);
    divergence_.emplace(std::move(counter));
  }
  return *divergence_;
}

const analysis::BranchDivergence& Execution::divergenceOfBlock() {
  if (!divergenceOfBlock_) {
    analysis::BranchDivergence counter(program());
    observe(counter, lowered().block);
    divergenceOfBlock_.emplace(std::move(counter));
  }
  return *divergenceOfBlock_;
}

const std::vector<GridPoint>& Execution::told(const Points& points) {
  byDefinition_ = byDefinition_ || !points.traced;
  return points.list;
}

const std::vector<GridPoint>& Execution::taps() {
  if (!taps_) { taps_ = tracedTaps(); }
  if (!taps_) { taps_ = tracedTapsOfLargerGrid(); }
  return told(*taps_);
}

std::optional<Execution::Points> Execution::tracedTaps() {
  const figures::StencilShape shape = figures::stencilShape(recorded(), stop_);
  if (!shape.reason.empty() && !file_.computes) { throw errorOf(shape.reason); }
  if (!shape.reason.empty() || !shape.computed || !shape.complete) { return std::nullopt; }
  Points points;
  for (const figures::ShapePoint& point : shape.points) { points.list.push_back(point.offset); }
  return points;
}

Execution::Points Execution::tracedTapsOfLargerGrid() {
  const auto larger = figures::countInterior(file_, bindings_, program(), stop_);
  if (larger && larger->block.bindings != bindings_) {
    Execution other(file_, {file_.id, larger->block.bindings}, stop_, known());
    if (auto points = other.tracedTaps()) { return std::move(*points); }
  }
  if (!file_.computes) { throw InputError(tr("the grid is too small to find which points an output needs")); }
  return definedTaps();
}

Execution::Points Execution::definedTaps() {
  Points points{{}, false};
  for (const auto& [z, y, x] : file_.taps(bindings_)) { points.list.push_back({z, y, x}); }
  return points;
}

const std::vector<GridPoint>& Execution::missingPoints() {
  if (!missing_) {
    if (recorded().footprint.input == kNone) {
      throw InputError(trf("block {} loads no array", text(recorded().block)));
    }
    const GridShape output(outputExtents());
    const auto outputs = static_cast<std::uint64_t>(output.planes() * output.rows() * output.columns());
    static_cast<void>(taps());
    const bool few =
        configuration_.grid.count() <= kMostTracedBlocks && outputs * taps_->list.size() <= kMostTracedTaps;
    missing_ = few || !file_.computes ? tracedMissing() : definedMissing();
  }
  return told(*missing_);
}

Execution::Points Execution::tracedMissing() {
  const ObjectId array = output();
  const recording::Footprint& footprint = recorded().footprint;
  const GridShape input(footprint.inputExtents), output(outputExtents());
  const Launch launch = experiment::initialLaunch(lowered());
  Points missing{{}, taps_->traced};
  for (std::uint32_t block = 0; block < configuration_.grid.count(); ++block) {
    const provenance::TracedBlock traced(program(), launch, unlinear(block, configuration_.grid),
                                         {choice_.order, choice_.orderSeed, stop_});
    for (const std::int64_t element : traced.written(array)) {
      if (stop_.stop_requested()) { throw experiment::Cancelled{}; }
      const auto trace = traced.trace(array, element);
      if (!trace) { throw InputError(trf("element {} of the output could not be traced", element)); }
      std::set<std::int64_t> used;
      for (const provenance::Operand& operand : trace->operands) {
        if (operand.object == footprint.input) { used.insert(operand.element); }
      }
      const GridPoint centre = output.point(element) + footprint.outputShift;
      for (const GridPoint& tap : taps_->list) {
        const bool lacks = !input.contains(centre + tap) || !used.contains(input.element(centre + tap));
        if (lacks) { missing.list.push_back(centre + tap); }
      }
    }
  }
  return missing;
}

Execution::Points Execution::definedMissing() {
  const recording::Footprint& footprint = recorded().footprint;
  const GridShape input(footprint.inputExtents), output(outputExtents());
  const std::vector<GridPoint> defined = definedTaps().list;
  const std::vector<std::int64_t>& none = kept();
  auto next = none.begin();
  Points missing{{}, false};
  const std::int64_t elements = output.planes() * output.rows() * output.columns();
  for (std::int64_t element = 0; element < elements; ++element) {
    if (next != none.end() && *next == element) {
      ++next;
      continue;
    }
    const GridPoint centre = output.point(element) + footprint.outputShift;
    for (const GridPoint& tap : defined) {
      if (!input.contains(centre + tap)) { missing.list.push_back(centre + tap); }
    }
  }
  return missing;
}

}  // namespace haloscope::questions
