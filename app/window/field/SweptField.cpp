#include "field/SweptField.h"

#include <algorithm>
#include <span>
#include <utility>

#include "experiment/InputData.h"
#include "field/FieldEmulator.h"
#include "field/FieldProcess.h"
#include "field/ResidualWatch.h"
#include "language/Text.h"

namespace haloscope::field {

namespace {

constexpr std::size_t kMostRead = std::size_t{64} << 20U;        // bytes of an array that a frame has time to copy
constexpr double kSweepMsPerFrame = 6;                           // so that a frame stays well under 16 ms
constexpr std::size_t kUploadPerFrame = std::size_t{48} << 20U;  // bytes: about as long as the sweeps of a frame

}  // namespace

bool SweptField::adopt(PreparedField prepared, const std::shared_ptr<const gpu::Device>& device) {
  const bool onGpu = prepared.runner != nullptr;
  const bool wasOnGpu = buffers_ && buffers_->path() != FieldPath::Emulator;
  // Another launch of a program, and other chosen numbers, begin with another field.
  const bool sameData =
      field_.experiment != nullptr && (prepared.key.empty() && field_.key.empty()
                                           ? field_.experiment->file.data == prepared.experiment->file.data &&
                                                 field_.experiment->choice.data == prepared.experiment->choice.data
                                           : prepared.key == field_.key);
  const bool sameField = buffers_ && sameData && buffers_->grid() == prepared.grid && onGpu == wasOnGpu &&
                         field_.arrays.hold(prepared.arrays);
  FieldValues values = prepared.initial;
  if (sameField && elsewhere_) {
    elsewhere_->wait();
    for (std::size_t place = 0; place < values.size(); ++place) {
      const auto newest = elsewhere_->values(place);
      values[place] = std::make_shared<const std::vector<std::byte>>(newest.begin(), newest.end());
    }
  }
  elsewhere_.reset();
  field_.runner.reset();  // its sweeps, which use the buffers, have ended
  if (!sameField) {
    upload_.clear();
    buffers_.reset();
    buffers_ = std::make_unique<FieldBuffers>(prepared.grid, onGpu ? device : nullptr, hostCopy_, prepared.arrays);
  }
  const FieldValues before = std::exchange(field_, std::move(prepared)).initial;
  problem_ = field_.problem;
  pendingSweeps_ = 0;
  goal_ = 0;
  if (!sameField || !onGpu) {
    for (const std::size_t place : staleConstants(sameField ? before : FieldValues())) {
      values[place] = field_.initial[place];
    }
    fill(std::move(values));
  } else if (upload_.empty()) {
    for (const std::size_t place : staleConstants(before)) { buffers_->write(place, 0, *field_.initial[place]); }
    buffers_->equalise();
  }
  if (!sameField) { sweeps_ = 0; }
  return !sameField;
}

std::vector<std::size_t> SweptField::staleConstants(const FieldValues& before) const {
  std::vector<std::size_t> stale;
  for (std::size_t place = 0; place < field_.initial.size(); ++place) {
    const bool stays = field_.arrays.successors[place] == place && place != field_.arrays.shown;
    if (stays && (place >= before.size() || *before[place] != *field_.initial[place])) { stale.push_back(place); }
  }
  return stale;
}

bool SweptField::restart() {
  elsewhere_.reset();
  sweeps_ = 0;
  if (field_.process && !field_.process->alive()) { return false; }
  fill(field_.initial);
  return true;
}

void SweptField::giveUp(const std::string& why) {
  upload_.clear();
  elsewhere_.reset();
  sweeping_ = false;
  field_ = {};  // waits for what was queued
  buffers_.reset();
  problem_ = why;
  pendingSweeps_ = 0;
  goal_ = 0;
  running_ = false;
}

void SweptField::leaveGpu() {
  sweeping_ = false;
  upload_.clear();
  elsewhere_.reset();
  field_.runner.reset();
  field_.process.reset();
  buffers_.reset();
}

void SweptField::fill(FieldValues values) {
  if (field_.process) {
    elsewhere_ = std::make_unique<FieldProcess>(field_.process, *values[field_.arrays.shown]);
  } else if (field_.runner) {
    field_.runner->restart();
  } else {
    elsewhere_ =
        std::make_unique<FieldEmulator>(pool_, field_.experiment->program, field_.launch, field_.arrays, values);
  }
  upload_ = std::move(values);
  uploaded_ = 0;
}

bool SweptField::upload() {
  if (upload_.empty()) { return false; }
  const std::size_t all = upload_.front()->size();
  const std::size_t bytes = std::min(kUploadPerFrame / upload_.size(), all - uploaded_);
  buffers_->fillPart(uploaded_, bytes, upload_);
  uploaded_ += bytes;
  if (uploaded_ < all) { return false; }
  buffers_->finishFill();
  upload_.clear();
  return true;
}

bool SweptField::paint(std::size_t place, std::span<const std::pair<std::int64_t, std::int64_t>> runs, double value) {
  if (!buffers_ || filling() || sweeping_ || (elsewhere_ && elsewhere_->sweeping())) { return false; }
  const ValueType element = field_.grid.element;
  const auto size = static_cast<std::size_t>(sizeInMemory(element));
  for (const auto& [first, count] : runs) {
    ArrayData row{.element = element,
                  .extents = {count},
                  .bytes = std::vector<std::byte>(static_cast<std::size_t>(count) * size)};
    for (std::int64_t i = 0; i < count; ++i) { experiment::setValue(row, i, value); }
    const std::size_t offset = static_cast<std::size_t>(first) * size;
    if (field_.runner) {
      buffers_->write(place, offset, row.bytes);
    } else if (!elsewhere_ || !elsewhere_->write(place, offset, row.bytes)) {
      return false;
    }
  }
  if (field_.runner) {
    buffers_->sweepsEnded();
  } else {
    buffers_->show(elsewhere_->values(field_.arrays.shown));
  }
  return true;
}

bool SweptField::hasResidual() const {
  if (!field_.experiment || !field_.experiment->file.problem || field_.process) { return false; }
  return field_.experiment->file.problem->residual && (!field_.runner || field_.grid.bytes() <= kMostRead);
}

std::optional<FieldStatus::Residual> SweptField::residual() const {
  if (!hasResidual() || !buffers_ || filling() || sweeping_) { return std::nullopt; }
  if (elsewhere_) {
    if (elsewhere_->sweeping()) { return std::nullopt; }
    return residualOf(field_, sweeps_, [this](std::size_t place) { return elsewhere_->values(place); });
  }
  std::vector<std::vector<std::byte>> read(field_.arrays.objects.size());
  return residualOf(field_, sweeps_, [&](std::size_t place) {
    if (read[place].empty()) { read[place] = buffers_->values(place); }
    return std::span<const std::byte>(read[place]);
  });
}

int SweptField::allowed(const FieldControls& controls, int affordable) {
  if (std::exchange(held_, false) || controls.painting) { return 0; }
  if (behind()) {
    const std::uint64_t missing = goal_ - sweeps_;
    return missing < static_cast<std::uint64_t>(std::max(affordable, 0)) ? static_cast<int>(missing) : affordable;
  }
  if (!running_) { return std::min(affordable, pendingSweeps_); }
  if (controls.perSecond <= 0) { return affordable; }
  const double due = std::chrono::duration<double>(Clock::now() - lastBegan_).count() * controls.perSecond;
  return std::min(affordable, static_cast<int>(std::min(due, static_cast<double>(std::max(affordable, 0)))));
}

double SweptField::budgetMs() const {
  constexpr double kUnwatchedMs = 100;
  return unwatched_ ? kUnwatchedMs : kSweepMsPerFrame;
}

double SweptField::budgetBesideMs() const {
  constexpr double kLongestMs = 50;  // a brush stroke waits no longer
  return std::max(budgetMs(), std::min(frameMs_, kLongestMs));
}

void SweptField::measureRate() {
  const auto now = Clock::now();
  if (!running_) {
    rate_ = 0;
    rateBegan_ = {};
    return;
  }
  if (rateBegan_ == Clock::time_point() || sweeps_ < rateSweeps_) {
    rateBegan_ = now;
    rateSweeps_ = sweeps_;
    return;
  }
  const double seconds = std::chrono::duration<double>(now - rateBegan_).count();
  if (seconds < 1) { return; }
  rate_ = static_cast<double>(sweeps_ - rateSweeps_) / seconds;
  rateBegan_ = now;
  rateSweeps_ = sweeps_;
}

bool SweptField::sweep(FieldControls& controls) {
  const Clock::time_point now = Clock::now();
  frameMs_ = std::chrono::duration<double, std::milli>(now - std::exchange(lastFrame_, now)).count();
  running_ = controls.run;
  if (field_.key == controls.key) {  // else it is another field that begins with them
    if (sweeps_ >= controls.goal) { controls.goal = 0; }
    goal_ = controls.goal;
  }
  measureRate();
  if (std::exchange(controls.singleSweep, false)) { ++pendingSweeps_; }
  if (field_.runner) {
    sweepOnGpu(controls);
    return false;
  }
  return elsewhere_ && sweepElsewhere(controls);
}

void SweptField::sweepOnGpu(const FieldControls& controls) {
  // Never more than a frame's worth is queued, so that the picture follows the controls at once.
  if (sweeping_ || controls.hold || !active()) { return; }
  gpu::SweepRunner& runner = *field_.runner;
  const int sweeps = allowed(controls, runner.affordableSweeps(budgetMs()));
  if (sweeps == 0) { return; }
  sweeping_ = true;
  sweepsBegan_ = lastBegan_ = Clock::now();
  for (int i = 0; i < sweeps; ++i) {
    runner.sweep(buffers_->addresses());
    buffers_->advance();
  }
  sweeps_ += static_cast<std::uint64_t>(sweeps);
  pendingSweeps_ = std::max(0, pendingSweeps_ - sweeps);
}

bool SweptField::collect() {
  if (!field_.runner || !buffers_) { return false; }
  gpu::SweepRunner& runner = *field_.runner;
  if (sweeping_) {
    if (!runner.idle()) { return false; }
    runner.poll();
    sweeping_ = false;
    buffers_->sweepsEnded();
  }
  return buffers_->publish(runner.stream());
}

bool SweptField::overdue() const {
  return sweeping_ && field_.runner && Clock::now() - sweepsBegan_ > longestRun_ && !field_.runner->idle();
}

bool SweptField::sweepElsewhere(FieldControls& controls) {
  bool changed = false;
  if (elsewhere_->finished()) {
    if (!elsewhere_->problem().empty()) {
      problem_ = elsewhere_->problem();
      if (field_.process) { problem_ += tr(". Reset starts it again."); }
      pendingSweeps_ = 0;
      goal_ = controls.goal = 0;
      running_ = controls.run = false;
      return false;
    }
    buffers_->show(elsewhere_->values(field_.arrays.shown));
    sweeps_ += static_cast<std::uint64_t>(begunElsewhere_);
    pendingSweeps_ = std::max(0, pendingSweeps_ - begunElsewhere_);
    changed = true;
  }
  if (active() && !elsewhere_->sweeping() && elsewhere_->problem().empty()) {
    begunElsewhere_ = allowed(controls, elsewhere_->most(field_.process ? budgetMs() : budgetBesideMs()));
    if (begunElsewhere_ > 0) {
      lastBegan_ = Clock::now();
      elsewhere_->begin(begunElsewhere_);
    }
  }
  return changed;
}

bool SweptField::working() const {
  return !upload_.empty() || pendingSweeps_ > 0 || behind() || sweeping_ || (elsewhere_ && elsewhere_->sweeping()) ||
         (field_.runner && buffers_ && buffers_->lags());
}

bool SweptField::byMachineCode() const { return elsewhere_ && elsewhere_->byMachineCode(); }

std::vector<double> SweptField::times() const {
  if (field_.runner) { return {field_.runner->ring().begin(), field_.runner->ring().end()}; }
  return elsewhere_ ? elsewhere_->times() : std::vector<double>();
}

}  // namespace haloscope::field
