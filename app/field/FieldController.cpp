#include "field/FieldController.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <optional>
#include <span>
#include <stop_token>
#include <thread>
#include <utility>

#include "field/CurveColumns.h"
#include "field/FieldBuffers.h"
#include "field/FieldEmulator.h"
#include "field/FieldPicture.h"
#include "field/FieldPreparation.h"
#include "field/FieldProcess.h"
#include "hardware/Peaks.h"
#include "hardware/SensorWatch.h"
#include "work/Worker.h"

namespace haloscope::field {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kSweepMsPerFrame = 6;                           // so that a frame stays well under 16 ms
constexpr auto kEmulatorPause = std::chrono::milliseconds(33);   // from one emulated sweep's begin to the next one's
constexpr std::int64_t kLongestCurve = std::int64_t{1} << 20U;   // points that are read back for a frame
constexpr std::size_t kUploadPerFrame = std::size_t{48} << 20U;  // bytes: about as long as the sweeps of a frame

/// The GPU, found and measured.
struct Startup {
  gpu::DeviceSearch search;
  hardware::Peaks peaks;
};

Startup startUp(const gpu::DeviceOptions& options) {
  Startup result;
  result.search = gpu::findDevice(options);
  if (!result.search.device) { return result; }
  try {
    result.peaks = hardware::knownPeaks(result.search.device);
  } catch (const std::runtime_error& problem) {  // without NVRTC nothing can be run on it
    result.search.missing = fmt::format("{}: {}", result.search.device->properties().name, problem.what());
    result.search.device = nullptr;
  }
  return result;
}

}  // namespace

class FieldController::Impl {
 public:
  Impl(FieldOptions options, work::Pool& pool)
      : options_(std::move(options)),
        pool_(pool),
        picture_(options_.shaders, options_.software),
        startup_(pool, {work::Priority::Foreground, work::Cores::None},
                 [](const gpu::DeviceOptions& device, const std::stop_token&) { return startUp(device); }),
        preparing_(pool, {work::Priority::Foreground, work::Cores::One},
                   [](const FieldRequest& request, const std::stop_token& stop) {
                     FieldRequest stoppable = request;
                     stoppable.stop = stop;
                     return prepareField(stoppable);
                   }) {
    if (options_.gpu) {
      startup_.request(options_.device);
    } else {
      missing_ = "the GPU is not used";
    }
  }

  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    preparing_.cancel();
    // Their ends wait for the sweeps, which may have none.
    while (sweeping_) {
      guarded([this] { collectSweeps(); });
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  void update(AppState& state) {
    receiveStartup(state);
    guarded([&] { collectSweeps(); });
    askForField(state);
    guarded([&] { receiveField(state); });
    guarded([&] { showField(state); });
    publish(state);
  }

  [[nodiscard]] std::optional<std::shared_ptr<const gpu::Device>> device() const {
    return startup_.busy() ? std::nullopt : std::optional(device_);
  }
  [[nodiscard]] bool working() const {
    return startup_.busy() || preparing_.busy() || upload_ || pendingSweeps_ > 0 || sweeping_ ||
           (elsewhere_ && elsewhere_->sweeping()) || (field_.runner && buffers_ && buffers_->lags()) ||
           (buffers_ && picture_.searching());
  }
  [[nodiscard]] bool changes() const { return working() || running_ || picture_.changes(); }

 private:
  /// Does what may fail on the GPU or for this kernel.
  template <typename Step>
  void guarded(Step step) {
    try {
      step();
    } catch (const gpu::Error& failure) {
      if (failure.endsProcess() && device_) {
        loseGpu(fmt::format("{} failed ({})", gpuName_, failure.what()));
      } else {
        giveUp(failure.what());
      }
    } catch (const experiment::FaultError& fault) {
      giveUp(fault.what());
      refused_ = gpuRuns() && asked_->choice.withoutBarriers.empty();
    } catch (const std::exception& failure) { giveUp(failure.what()); }
  }

  /// There is a GPU that kernels run on, here or in a child process.
  [[nodiscard]] bool gpuRuns() const { return device_ || gpuLoss_; }

  void showField(AppState& state) {
    if (!buffers_) { return; }
    if (state.fieldControls.reset && !sweeping_) {
      state.fieldControls.reset = false;
      restart(state);
    }
    uploadMore();
    if (upload_) { return; }
    picture_.draw(field_.grid, buffers_->shown(), state.fieldControls);
    updateCurve(state);
    probe(state);
    sweep(state.fieldControls);
  }

  void noteChange() {
    picture_.noteChange();
    curveStale_ = true;
  }

  /// A field of one axis is shown as a curve.
  void updateCurve(AppState& state) {
    FieldCurve& curve = state.field.curve;
    const render::FieldGrid& grid = field_.grid;
    if (grid.rank != 1 || grid.points() > kLongestCurve) {
      curve = {};
      return;
    }
    const auto columns =
        static_cast<std::size_t>(std::min<std::int64_t>(std::max(state.fieldControls.width, 1), grid.points()));
    if (!curveStale_ && curve.now.size() == columns) { return; }
    curveStale_ = false;
    std::vector<std::byte> values(grid.bytes());
    buffers_->read(values);
    curve.now = curveColumns(values, grid.element, columns);
    curve.input = curveColumns(*field_.initial, grid.element, columns);
  }

  void receiveStartup(AppState& state) {
    auto startup = startup_.poll();
    if (!startup) { return; }
    device_ = std::move(startup->search.device);
    missing_ = std::move(startup->search.missing);
    peaks_ = startup->peaks;
    if (device_) { sensors_ = std::make_unique<hardware::SensorWatch>(device_); }
    gpuName_ = device_ ? device_->properties().name : std::string();
    state.measuredCopyGBs = peaks_.copyGBs;
    state.measuredFp32GFlops = peaks_.fp32GFlops;
    state.measuredFp64GFlops = peaks_.fp64GFlops;
  }

  void askForField(const AppState& state) {
    if (preparing_.busy() && state.experiment != asked_) { preparing_.cancel(); }
    if (startup_.busy() || preparing_.busy() || !state.experiment) { return; }
    const experiment::Experiment& experiment = *state.experiment;
    const std::int64_t size = gpuRuns() ? state.fieldControls.size : 0;
    const bool insisted = isInsistedOn(state);
    if (asked_ == state.experiment && askedSize_ == size && insisted_ == insisted) { return; }
    asked_ = state.experiment;
    askedSize_ = size;
    insisted_ = insisted;
    FieldRequest request;
    request.experiment = state.experiment;
    request.size = size;
    // A barrier is taken out of the lowered program, not of the text that a GPU would compile.
    if (experiment.choice.withoutBarriers.empty()) {
      if (gpuRuns() && (gpuLoss_ || insisted)) {
        request.childProcess = ChildProcessOptions{options_.device, options_.program, options_.limits};
      } else {
        request.device = device_;
      }
    }
    request.insisted = insisted;
    request.gate = options_.gate;
    request.knownGrid = field_.grid;
    request.known = field_.generated ? field_.initial : nullptr;
    preparing_.request(std::move(request));
  }

  /// Whether the user runs this kernel on the GPU although it was refused. The first answer to a text is the gate's.
  [[nodiscard]] bool isInsistedOn(const AppState& state) const {
    const experiment::Experiment& experiment = *state.experiment;
    if (state.fieldControls.insistedOn != experiment.file.id) { return false; }
    return experiment.fault || (asked_ == state.experiment && (refused_ || insisted_));
  }

  void receiveField(const AppState& state) {
    if (sweeping_) { return; }
    std::optional<PreparedField> prepared = preparing_.poll();
    if (!prepared) { return; }
    refused_ = false;
    // A newer choice makes this one stale; the next frame asks for it.
    if (state.experiment == asked_) { adopt(*std::move(prepared)); }
  }

  void adopt(PreparedField prepared) {
    const bool onGpu = prepared.runner != nullptr;
    const bool wasOnGpu = buffers_ && buffers_->path() != FieldPath::Emulator;
    const bool sameField = buffers_ && buffers_->grid() == prepared.grid && onGpu == wasOnGpu;
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
      buffers_ = std::make_unique<FieldBuffers>(prepared.grid, onGpu ? device_ : nullptr, options_.hostCopy);
    }
    field_ = std::move(prepared);
    problem_ = field_.problem;
    pendingSweeps_ = 0;
    if (!sameField || !onGpu) {
      fill(std::move(values));
    } else if (!upload_) {
      buffers_->equalise();
    }
    if (!sameField) { startFrom0(); }
  }

  /// Gives every holder of the field these values, part by part.
  void fill(std::shared_ptr<const std::vector<std::byte>> values) {
    if (field_.process) {
      elsewhere_ = std::make_unique<FieldProcess>(field_.process, *values);
    } else if (!field_.runner) {
      elsewhere_ =
          std::make_unique<FieldEmulator>(pool_, field_.experiment->program, field_.launch, field_.pair, *values);
    }
    upload_ = std::move(values);
    uploaded_ = 0;
  }

  void uploadMore() {
    if (!upload_) { return; }
    const std::size_t bytes = std::min(kUploadPerFrame, upload_->size() - uploaded_);
    buffers_->fillPart(uploaded_, std::span(*upload_).subspan(uploaded_, bytes));
    uploaded_ += bytes;
    if (uploaded_ < upload_->size()) { return; }
    buffers_->finishFill();
    upload_.reset();
    noteChange();
  }

  void startFrom0() {
    sweeps_ = 0;
    picture_.forgetRange();
  }

  void restart(const AppState& state) {
    elsewhere_.reset();
    startFrom0();
    if (field_.process && !field_.process->alive()) {
      asked_.reset();  // the kernel gets another process
      askForField(state);
      return;
    }
    fill(field_.initial);
  }

  void sweep(FieldControls& controls) {
    running_ = controls.run;
    if (std::exchange(controls.singleSweep, false)) { ++pendingSweeps_; }
    if (field_.runner) {
      sweepOnGpu(controls.hold);
    } else if (elsewhere_) {
      sweepElsewhere(controls);
    }
  }

  void sweepOnGpu(bool hold) {
    // Never more than a frame's worth is queued, so that the picture follows the controls at once.
    if (sweeping_ || hold || (!running_ && pendingSweeps_ == 0)) { return; }
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

  /// Passes on what sweeps that have ended left. Not before: OpenGL would wait for a copy that waits for a kernel, and
  /// one that never ends would stop the window with it.
  void collectSweeps() {
    if (!field_.runner || !buffers_) { return; }
    gpu::SweepRunner& runner = *field_.runner;
    if (sweeping_) {
      if (!runner.idle()) {
        if (Clock::now() - sweepsBegan_ > options_.limits.run) {
          loseGpu(fmt::format("{} did not end within {} s on {}, which stays busy with it until Haloscope is closed",
                              field_.experiment->file.id, static_cast<double>(options_.limits.run.count()) / 1000,
                              gpuName_));
        }
        return;
      }
      runner.poll();
      sweeping_ = false;
      buffers_->sweepsEnded();
    }
    if (buffers_->publish(runner.stream())) { noteChange(); }
  }

  void sweepElsewhere(FieldControls& controls) {
    if (elsewhere_->finished()) {
      if (!elsewhere_->problem().empty()) {
        problem_ = elsewhere_->problem();
        if (field_.process) { problem_ += ". Reset starts it again."; }
        pendingSweeps_ = 0;
        running_ = controls.run = false;
        return;
      }
      buffers_->show(elsewhere_->field());
      sweeps_ += static_cast<std::uint64_t>(begunElsewhere_);
      pendingSweeps_ = std::max(0, pendingSweeps_ - begunElsewhere_);
      noteChange();
    }
    const bool rested = field_.process || Clock::now() - emulatorBegan_ >= kEmulatorPause;
    const bool wanted = pendingSweeps_ > 0 || (running_ && rested);
    if (wanted && !elsewhere_->sweeping() && elsewhere_->problem().empty()) {
      emulatorBegan_ = Clock::now();
      const int most = elsewhere_->most(kSweepMsPerFrame);
      begunElsewhere_ = running_ ? most : std::min(most, pendingSweeps_);
      elsewhere_->begin(begunElsewhere_);
    }
  }

  void probe(AppState& state) const {
    const FieldControls& controls = state.fieldControls;
    state.field.probe.reset();
    if (!controls.pointer || (controls.volume && field_.grid.rank == 3)) { return; }
    if (!state.field.curve.now.empty()) {
      const auto last = field_.grid.points() - 1;
      const double share = (*controls.pointer)[0] / static_cast<float>(std::max(controls.width, 1));
      const auto index =
          std::clamp(static_cast<std::int64_t>(share * static_cast<double>(last + 1)), std::int64_t{0}, last);
      state.field.probe = FieldProbe{{0, 0, index}, buffers_->valueAt({0, 0, index})};
      return;
    }
    const render::FieldPlane plane = render::FieldPlane::of(field_.grid, controls.axis, controls.slice);
    const render::FieldFrame frame = render::FieldFrame::of(field_.grid, plane, controls.width, controls.height);
    std::int64_t column = 0;
    std::int64_t row = 0;
    if (!frame.cellAt((*controls.pointer)[0], (*controls.pointer)[1], column, row)) { return; }
    std::array<std::int64_t, 3> at{};
    at.at(static_cast<std::size_t>(plane.axis)) = plane.position;
    at.at(static_cast<std::size_t>(plane.rowAxis)) = row;
    at.at(static_cast<std::size_t>(plane.columnAxis)) = column;
    state.field.probe = FieldProbe{{at[0], at[1], at[2]}, buffers_->valueAt(at)};
  }

  /// Nothing runs on the GPU in this process any more: `why`. Other processes go on.
  void loseGpu(std::string why) {
    device_->abandon();
    device_ = nullptr;
    sensors_.reset();
    peaks_ = {};
    sweeping_ = false;
    upload_.reset();
    elsewhere_.reset();
    field_.runner.reset();
    field_.process.reset();
    buffers_.reset();
    gpuLoss_ = std::move(why);
    asked_.reset();  // so that the field is rebuilt
  }

  /// This kernel cannot be swept; what() says why. Nothing is shown.
  void giveUp(const std::string& why) {
    upload_.reset();
    elsewhere_.reset();
    sweeping_ = false;
    field_ = {};  // waits for what was queued
    buffers_.reset();
    problem_ = why;
    refused_ = false;
    pendingSweeps_ = 0;
    running_ = false;
    picture_.clear();
  }

  [[nodiscard]] std::string refusalReason() const {
    return field_.experiment->fault ? "the kernel has a fault" : "the kernel was not cleared for the GPU";
  }

  void publish(AppState& state) const {
    state.gpuName = gpuName_;
    state.gpuTrouble = gpuLoss_.value_or(std::string());
    state.gpuMissing = startup_.busy() ? "still being looked for" : missing_;

    FieldStatus& status = state.field;
    status.preparing = startup_.busy() || preparing_.busy() || upload_ != nullptr;
    status.problem = problem_;
    status.refused = refused_;
    status.copyGBs = peaks_.copyGBs;
    status.path = buffers_ ? buffers_->path() : FieldPath::None;
    status.running = buffers_ && running_;
    status.sweeps = sweeps_;
    status.texture = buffers_ ? picture_.texture() : 0;
    status.low = picture_.range().low;
    status.high = picture_.range().high;
    status.kernel.clear();
    status.extents.clear();
    status.ring.clear();
    status.clockMHz = 0;
    status.powerWatts = 0;
    status.disturbance.clear();
    status.medianMs = status.p10Ms = status.p90Ms = status.effectiveGBs = status.fractionOfCopy = status.fieldBytes = 0;
    if (!buffers_) {
      status.curve = {};
      status.pathReason.clear();
      status.probe.reset();
      return;
    }
    status.pathReason = buffers_->reason();
    if (field_.process) {
      status.path = FieldPath::HostCopy;
      status.pathReason =
          fmt::format("in a child process, because {}", insisted_ ? refusalReason() : gpuLoss_.value_or(std::string()));
    } else if (!field_.runner) {
      status.pathReason = gpuRuns() ? field_.problem : missing_;
    }
    status.kernel = field_.experiment->file.id;
    status.extents.assign(field_.grid.extents.end() - field_.grid.rank, field_.grid.extents.end());
    status.element = field_.grid.element;
    status.fieldBytes = 2.0 * static_cast<double>(field_.grid.bytes());
    if (field_.runner && sensors_) {
      sensors_->watch(running_ || pendingSweeps_ > 0);
      const hardware::Conditions conditions = sensors_->conditions();
      status.clockMHz = conditions.medianClockMHz;
      status.powerWatts = conditions.powerWatts;
      status.disturbance = conditions.disturbance;
    }
    std::vector<double> times;
    if (elsewhere_) { times = elsewhere_->times(); }
    if (field_.runner) { times.assign(field_.runner->ring().begin(), field_.runner->ring().end()); }
    if (times.empty()) { return; }
    for (const double milliseconds : times) { status.ring.push_back({milliseconds}); }
    const gpu::Spread spread = gpu::spreadOf(std::move(times));
    status.medianMs = spread.medianMs;
    status.p10Ms = spread.p10Ms;
    status.p90Ms = spread.p90Ms;
    if (spread.medianMs > 0) { status.effectiveGBs = status.fieldBytes / (spread.medianMs * 1e6); }
    if (peaks_.copyGBs > 0) { status.fractionOfCopy = status.effectiveGBs / peaks_.copyGBs; }
  }

  FieldOptions options_;
  work::Pool& pool_;
  FieldPicture picture_;

  std::shared_ptr<const gpu::Device> device_;
  std::string missing_;                 ///< why there is no device
  std::string gpuName_;                 ///< also after it was given up in this process
  std::optional<std::string> gpuLoss_;  ///< why every kernel runs in a child process; none: they need not
  hardware::Peaks peaks_;
  std::unique_ptr<hardware::SensorWatch> sensors_;  ///< with the device, or null

  std::shared_ptr<const experiment::Experiment> asked_;  ///< what preparing_ works on, or worked on last
  std::int64_t askedSize_ = 0;
  bool insisted_ = false;
  std::unique_ptr<FieldBuffers> buffers_;
  PreparedField field_;  ///< after the buffers: its end waits for the sweeps that use them
  std::shared_ptr<const std::vector<std::byte>> upload_;  ///< what the field is being filled with; null: it is filled
  std::size_t uploaded_ = 0;                              ///< bytes of it
  std::unique_ptr<FieldSweeper> elsewhere_;               ///< what sweeps the field where no runner does
  int begunElsewhere_ = 0;                                ///< sweeps that it has underway
  std::string problem_;
  bool refused_ = false;  ///< the emulator found a fault, and there is a GPU all the same

  bool curveStale_ = true;  ///< the field has changed since its curve was made
  bool running_ = false;
  int pendingSweeps_ = 0;
  std::uint64_t sweeps_ = 0;
  bool sweeping_ = false;  ///< on the GPU, in this process, since:
  Clock::time_point sweepsBegan_;
  Clock::time_point emulatorBegan_;

  work::Worker<gpu::DeviceOptions, Startup> startup_;
  work::Worker<FieldRequest, PreparedField> preparing_;
};

FieldController::FieldController(FieldOptions options, work::Pool& pool)
    : impl_(std::make_unique<Impl>(std::move(options), pool)) {}

FieldController::~FieldController() = default;

void FieldController::update(AppState& state) { impl_->update(state); }

std::optional<std::shared_ptr<const gpu::Device>> FieldController::device() const { return impl_->device(); }

bool FieldController::changes() const { return impl_->changes(); }

void FieldController::settle(AppState& state) {
  const bool run = std::exchange(state.fieldControls.run, false);
  const bool hold = std::exchange(state.fieldControls.hold, false);
  do {
    impl_->update(state);
    if (impl_->working()) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }
  } while (impl_->changes());
  impl_->update(state);
  state.fieldControls.run = run;
  state.fieldControls.hold = hold;
}

void FieldController::sweep(AppState& state, int sweeps) {
  settle(state);
  for (int i = 0; i < sweeps; ++i) {
    state.fieldControls.singleSweep = true;
    impl_->update(state);
  }
  settle(state);
}

}  // namespace haloscope::field
