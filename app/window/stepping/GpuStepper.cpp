#include "stepping/GpuStepper.h"

#include <algorithm>
#include <utility>

#include "language/Text.h"
#include "state/Player.h"

namespace haloscope {

namespace {

/// Words that a block's threads get at first: enough for most blocks of the catalogue.
constexpr std::size_t kFirstBytes = std::size_t{16} << 20;

}  // namespace

GpuStepper::GpuStepper(work::Pool& pool, measuring::GpuGate& gate, std::filesystem::path shaders, bool gpu,
                       gpu::DeviceOptions device)
    : shaders_(std::move(shaders)),
      deviceOptions_(std::move(device)),
      opening_(pool, {work::Priority::Foreground, work::Cores::None},
               [gpu](const gpu::DeviceOptions& options, const std::stop_token&) {
                 return gpu ? gpu::findDevice(options)
                            : gpu::DeviceSearch{nullptr, tr("the use of GPUs is switched off")};
               }),
      recording_(pool, {work::Priority::Foreground, work::Cores::One},
                 [&gate](const Recording& wanted, const std::stop_token&) { return record(wanted, gate); }),
      comparing_(pool, {work::Priority::Background, work::Cores::One},
                 [](const std::shared_ptr<const measuring::RecordedOnGpu>& both, const std::stop_token&) {
                   return recording::compare(*both->emulated->recording, *both->experiment->recording);
                 }) {}

render::RecordedValues* GpuStepper::values() { return described_ ? values_.get() : nullptr; }

void GpuStepper::update(AppState& state) {
  GpuStepping& stepping = state.gpuStepping;
  if (const auto search = opening_.poll()) {
    device_ = search->device;
    if (device_ == nullptr) {
      stepping.problem = trf("Stepping on the GPU needs one: {}", search->missing);
      failed_ = state.experiment;
    } else {
      stepping.gpu = device_->properties().name;
      recorder_ = std::make_shared<measuring::GpuRecorder>(device_);
    }
  }
  if (auto outcome = recording_.poll()) { receive(state, *std::move(outcome)); }
  if (const auto agreement = comparing_.poll()) {
    if (shown(state)) { stepping.agreement = *agreement; }
  }
  stepping.busy = busy();
  const auto& experiment = state.experiment;
  if (experiment == nullptr || experiment->recording == nullptr) { return; }
  const bool ofGpu = experiment->recording->source == recording::Recording::Source::Gpu;
  if (!ofGpu) { stepping.emulated = experiment; }
  if (!stepping.wanted) {
    if (ofGpu) { show(state, stepping.emulated); }
    described_ = false;
    failed_.reset();
    stepping.problem.clear();
    return;
  }
  if (lost_.empty() && !state.gpuTrouble.empty()) { lose(state.gpuTrouble); }
  if (!lost_.empty() && !ofGpu) {
    stepping.problem = trf("No stepping on the GPU until Haloscope is started again: {}", lost_);
    described_ = false;
    return;
  }
  if (ofGpu && byClock_ != stepping.byClock && !busy()) {
    show(state, stepping.emulated);
    described_ = false;
    start(state);
  } else if (!ofGpu) {
    described_ = false;
    if (failed_ != experiment && !busy()) { device_ == nullptr ? opening_.request(deviceOptions_) : start(state); }
  }
  stepping.busy = busy();
  if (described_ && values_) { values_->goTo(state.cursor.position()); }
}

void GpuStepper::settle(AppState& state) {
  // A buffer that was too small asks for another run.
  for (int turn = 0; turn < 8; ++turn) {
    update(state);
    if (!busy()) { return; }
    opening_.finish();
    recording_.finish();
    comparing_.finish();
  }
}

void GpuStepper::start(AppState& state) {
  GpuStepping& stepping = state.gpuStepping;
  stepping.problem.clear();
  gpu::BlockLogger::Words words;
  try {
    if (!values_) { values_ = std::make_unique<render::RecordedValues>(shaders_); }
    if (copyReason_.empty() && shared_ == nullptr) { copyReason_ = gpu::SharedBuffer::refusal(*device_); }
    if (copyReason_.empty()) {
      const std::size_t bytes = std::max(wordsBytes_, kFirstBytes);
      if (shared_ == nullptr || values_->wordsBytes() < bytes) {
        shared_.reset();
        values_->reserve(bytes);
        shared_ = std::make_unique<gpu::SharedBuffer>(device_, values_->wordsBuffer());
      }
      if (stream_ == nullptr) { stream_ = std::make_shared<gpu::Stream>(device_); }
      values_->flush();
      words = {shared_->map(*stream_), values_->wordsBytes()};
    }
  } catch (const std::exception& refused) {
    shared_.reset();
    copyReason_ = refused.what();
    words = {};
  }
  stepping.copyReason = copyReason_;
  byClock_ = stepping.byClock;
  const measuring::GpuRecordOptions options{
      .order = byClock_ ? recording::LogOrder::Clock : recording::LogOrder::SideBySide, .words = words};
  recording_.request({recorder_, state.experiment, options, words.address != 0 ? stream_ : nullptr});
}

GpuStepper::RecordingOutcome GpuStepper::record(const Recording& wanted, measuring::GpuGate& gate) {
  RecordingOutcome outcome;
  outcome.of = wanted.emulated;
  try {
    if (wanted.stream != nullptr) { wanted.stream->synchronize(); }  // OpenGL is done with the buffer
    outcome.recorded = measuring::recordOnGpu(*wanted.recorder, gate, wanted.emulated, wanted.options);
    const BlockLog& log = outcome.recorded->run.log;
    const std::uint32_t longest = *std::ranges::max_element(log.counts);
    if (wanted.options.words.address != 0 && longest > log.capacity) {
      outcome.wordsWanted = std::size_t{longest} * log.counts.size() * sizeof(std::uint32_t);
    }
  } catch (const gpu::Error& error) {
    outcome.problem = error.what();
    outcome.lost = error.endsProcess();
  } catch (const std::exception& error) { outcome.problem = error.what(); }
  return outcome;
}

void GpuStepper::receive(AppState& state, RecordingOutcome outcome) {
  GpuStepping& stepping = state.gpuStepping;
  if (outcome.lost) { return lose(outcome.problem); }
  try {
    if (shared_ != nullptr && shared_->mapped()) { shared_->unmap(*stream_); }
  } catch (const gpu::Error& error) { return lose(error.what()); }
  if (outcome.of != state.experiment || !stepping.wanted) { return; }  // something else is on screen by now
  if (outcome.wordsWanted > wordsBytes_ && outcome.wordsWanted <= gpu::BlockLogger::kMostBytes) {
    wordsBytes_ = outcome.wordsWanted;
    return;
  }
  if (outcome.recorded == nullptr || outcome.recorded->run.recording->truncated) {
    stepping.problem =
        outcome.recorded == nullptr ? outcome.problem
        : outcome.wordsWanted > 0
            ? tr("The block did more than fits into a recording of the GPU: choose a smaller size or tile.")
            : outcome.recorded->run.recording->message;
    failed_ = state.experiment;
    return;
  }
  stepping.recorded = std::move(outcome.recorded);
  const measuring::RecordedOnGpu& recorded = *stepping.recorded;
  try {
    if (values_ && !copyReason_.empty()) { values_->upload(recorded.run.log); }
    described_ = values_ && values_->describe({.recording = recorded.experiment->recording.get(),
                                               .carriers = &recorded.experiment->carriers,
                                               .footprint = &recorded.experiment->footprint,
                                               .placed = &recorded.run.text->program,
                                               .sites = &recorded.run.text->sites,
                                               .log = &recorded.run.log,
                                               .index = &recorded.run.index});
    if (!described_) {
      stepping.copyReason =
          tr("the shader does not follow atomic operations, asynchronous copies, nor this many steps");
    }
  } catch (const std::exception& error) {
    described_ = false;
    stepping.copyReason = error.what();
  }
  show(state, recorded.experiment);
  stepping.agreement.reset();
  comparing_.request(stepping.recorded);
}

bool GpuStepper::shown(const AppState& state) {
  return state.gpuStepping.recorded != nullptr && state.experiment == state.gpuStepping.recorded->experiment;
}

/// A kernel ended CUDA for this process, or never ends: nothing of it is touched again.
void GpuStepper::lose(std::string why) {
  if (device_ != nullptr) { device_->abandon(); }
  described_ = false;
  shared_.reset();
  stream_.reset();
  recorder_.reset();
  device_.reset();
  lost_ = std::move(why);
}

/// The other recording of the same block, at the same place.
void GpuStepper::show(AppState& state, const std::shared_ptr<const experiment::Experiment>& experiment) {
  if (experiment == nullptr) { return; }
  // Another order of the warps has other steps.
  const bool sameSteps =
      !state.cursor.empty() && state.cursor.recording().steps.size() == experiment->recording->steps.size();
  const std::size_t position =
      sameSteps ? state.cursor.position() : correspondingPosition(state.cursor, *experiment->recording);
  state.experiment = experiment;
  state.cursor = recording::Cursor(experiment->recording);
  state.cursor.goTo(position);
}

}  // namespace haloscope
