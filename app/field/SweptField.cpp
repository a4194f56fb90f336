#include "field/SweptField.h"

#include <algorithm>
#include <span>
#include <utility>

#include "field/FieldEmulator.h"
#include "field/FieldProcess.h"
#include "language/Text.h"

namespace haloscope::field {

namespace {

constexpr double kSweepMsPerFrame = 6;                           // so that a frame stays well under 16 ms
constexpr auto kEmulatorPause = std::chrono::milliseconds(33);   // from one emulated sweep's begin to the next one's
constexpr std::size_t kUploadPerFrame = std::size_t{48} << 20U;  // bytes: about as long as the sweeps of a frame

}  // namespace

bool SweptField::adopt(PreparedField prepared, const std::shared_ptr<const gpu::Device>& device) {
  const bool onGpu = prepared.runner != nullptr;
  const bool wasOnGpu = buffers_ && buffers_->path() != FieldPath::Emulator;
  // Another launch of a program, and other chosen numbers, begin with another field.
  const bool sameData = field_.experiment != nullptr &&
                        field_.experiment->file.data == prepared.experiment->file.data &&
                        field_.experiment->choice.data == prepared.experiment->choice.data;
  const bool sameField = buffers_ && sameData && buffers_->grid() == prepared.grid && onGpu == wasOnGpu;
  auto values = prepared.initial;
  if (sameField && elsewhere_) {
    elsewhere_->wait();
    const auto newest = elsewhere_->field();
    values = std::make_shared<const std::vector<std::byte>>(newest.begin(), newest.end());
  }
  elsewhere_.reset();
  field_.runner.reset();  // its sweeps, which use the buffers, have ended
  if (!sameField) {
    upload_.reset();
    buffers_.reset();
    buffers_ = std::make_unique<FieldBuffers>(prepared.grid, onGpu ? device : nullptr, hostCopy_);
  }
  field_ = std::move(prepared);
  problem_ = field_.problem;
  pendingSweeps_ = 0;
  if (!sameField || !onGpu) {
    fill(std::move(values));
  } else if (!upload_) {
    buffers_->equalise();
  }
  if (!sameField) { sweeps_ = 0; }
  return !sameField;
}

bool SweptField::restart() {
  elsewhere_.reset();
  sweeps_ = 0;
  if (field_.process && !field_.process->alive()) { return false; }
  fill(field_.initial);
  return true;
}

void SweptField::giveUp(const std::string& why) {
  upload_.reset();
  elsewhere_.reset();
  sweeping_ = false;
  field_ = {};  // waits for what was queued
  buffers_.reset();
  problem_ = why;
  pendingSweeps_ = 0;
  running_ = false;
}

void SweptField::leaveGpu() {
  sweeping_ = false;
  upload_.reset();
  elsewhere_.reset();
  field_.runner.reset();
  field_.process.reset();
  buffers_.reset();
}

void SweptField::fill(std::shared_ptr<const std::vector<std::byte>> values) {
  if (field_.process) {
    elsewhere_ = std::make_unique<FieldProcess>(field_.process, *values);
  } else if (!field_.runner) {
    elsewhere_ =
        std::make_unique<FieldEmulator>(pool_, field_.experiment->program, field_.launch, field_.pair, *values);
  }
  upload_ = std::move(values);
  uploaded_ = 0;
}

bool SweptField::upload() {
  if (!upload_) { return false; }
  const std::size_t bytes = std::min(kUploadPerFrame, upload_->size() - uploaded_);
  buffers_->fillPart(uploaded_, std::span(*upload_).subspan(uploaded_, bytes));
  uploaded_ += bytes;
  if (uploaded_ < upload_->size()) { return false; }
  buffers_->finishFill();
  upload_.reset();
  return true;
}

bool SweptField::sweep(FieldControls& controls) {
  running_ = controls.run;
  if (std::exchange(controls.singleSweep, false)) { ++pendingSweeps_; }
  if (field_.runner) {
    sweepOnGpu(controls.hold);
    return false;
  }
  return elsewhere_ && sweepElsewhere(controls);
}

void SweptField::sweepOnGpu(bool hold) {
  // Never more than a frame's worth is queued, so that the picture follows the controls at once.
  if (sweeping_ || hold || !active()) { return; }
  gpu::SweepRunner& runner = *field_.runner;
  const int affordable = runner.affordableSweeps(kSweepMsPerFrame);
  const int sweeps = running_ ? affordable : std::min(affordable, pendingSweeps_);
  sweeping_ = true;
  sweepsBegan_ = Clock::now();
  for (int i = 0; i < sweeps; ++i) {
    runner.sweep(buffers_->input(), buffers_->output());
    buffers_->swap();
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
      running_ = controls.run = false;
      return false;
    }
    buffers_->show(elsewhere_->field());
    sweeps_ += static_cast<std::uint64_t>(begunElsewhere_);
    pendingSweeps_ = std::max(0, pendingSweeps_ - begunElsewhere_);
    changed = true;
  }
  const bool rested = field_.process || Clock::now() - emulatorBegan_ >= kEmulatorPause;
  const bool wanted = pendingSweeps_ > 0 || (running_ && rested);
  if (wanted && !elsewhere_->sweeping() && elsewhere_->problem().empty()) {
    emulatorBegan_ = Clock::now();
    const int most = elsewhere_->most(kSweepMsPerFrame);
    begunElsewhere_ = running_ ? most : std::min(most, pendingSweeps_);
    elsewhere_->begin(begunElsewhere_);
  }
  return changed;
}

bool SweptField::working() const {
  return upload_ || pendingSweeps_ > 0 || sweeping_ || (elsewhere_ && elsewhere_->sweeping()) ||
         (field_.runner && buffers_ && buffers_->lags());
}

std::vector<double> SweptField::times() const {
  if (field_.runner) { return {field_.runner->ring().begin(), field_.runner->ring().end()}; }
  return elsewhere_ ? elsewhere_->times() : std::vector<double>();
}

}  // namespace haloscope::field
