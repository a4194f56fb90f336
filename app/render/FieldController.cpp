#include "render/FieldController.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <future>
#include <span>
#include <thread>
#include <utility>

#include "gpu/Peaks.h"
#include "gpu/SensorWatch.h"
#include "render/FieldBricks.h"
#include "render/FieldBuffers.h"
#include "render/FieldEmulator.h"
#include "render/FieldPreparation.h"
#include "render/FieldRenderer.h"

namespace haloscope::render {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kSweepMsPerFrame = 6;                           // so that a frame stays well under 16 ms
constexpr auto kEmulatorPause = std::chrono::milliseconds(33);   // from one emulated sweep's begin to the next one's
constexpr std::size_t kUploadPerFrame = std::size_t{48} << 20U;  // bytes: about as long as the sweeps of a frame
constexpr float kRangeApproach = 0.25F;                          // of the way to the found range, a frame
constexpr float kRangeReached = 0.004F;                          // of its span: nearer cannot be seen

/// The GPU, found and measured.
struct Startup {
  gpu::DeviceSearch search;
  gpu::Peaks peaks;
};

Startup startUp(const gpu::DeviceOptions& options) {
  Startup result;
  result.search = gpu::findDevice(options);
  if (!result.search.device) { return result; }
  try {
    result.peaks = gpu::knownPeaks(result.search.device);
  } catch (const std::runtime_error& problem) {  // without NVRTC nothing can be run on it
    result.search.missing = fmt::format("{}: {}", result.search.device->properties().name, problem.what());
    result.search.device = nullptr;
  }
  return result;
}

template <typename T>
bool ready(const std::future<T>& future) {
  return future.valid() && future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

FieldColour unpack(std::uint32_t packed) {
  const auto channel = [&](int shift) { return static_cast<float>(packed >> shift & 0xffU) / 255.0F; };
  return {channel(0), channel(8), channel(16)};
}

}  // namespace

class FieldController::Impl {
 public:
  explicit Impl(FieldOptions options)
      : options_(std::move(options)), bricks_(options_.shaders), renderer_(options_.shaders) {
    if (options_.gpu) {
      startup_ = std::async(std::launch::async, startUp, options_.device);
    } else {
      missing_ = "the GPU is not used";
    }
  }

  void update(AppState& state) {
    receiveStartup(state);
    askForField(state);
    receiveField(state);
    if (buffers_) {
      try {
        if (std::exchange(state.fieldWishes.reset, false)) { restart(); }
        uploadMore();
        if (!upload_) {
          sweep(state.fieldWishes);
          updateRange();
          draw(state.fieldWishes);
          probe(state);
        }
      } catch (const gpu::Error& failure) { loseGpu(failure.what()); } catch (const std::exception& failure) {
        giveUp(failure.what());
      }
    }
    tell(state);
  }

  [[nodiscard]] bool working() const {
    return startup_.valid() || preparing_.valid() || upload_ || pendingSweeps_ > 0 ||
           (emulator_ && emulator_->sweeping()) || (field_.runner && buffers_ && (!swept() || buffers_->lags()));
  }
  [[nodiscard]] bool changes() const { return working() || running_ || !rangeReached() || coarse_ || dataChanged_; }

 private:
  /// All sweeps that were queued on the GPU have been carried out, or failed, which the next update() will find.
  [[nodiscard]] bool swept() const {
    try {
      return field_.runner->idle();
    } catch (const gpu::Error&) { return true; }
  }

  void receiveStartup(AppState& state) {
    if (!ready(startup_)) { return; }
    Startup startup = startup_.get();
    device_ = std::move(startup.search.device);
    missing_ = std::move(startup.search.missing);
    peaks_ = startup.peaks;
    if (device_) { sensors_ = std::make_unique<gpu::SensorWatch>(device_); }
    state.measuredCopyGBs = peaks_.copyGBs;
    state.measuredFp32GFlops = peaks_.fp32GFlops;
  }

  void askForField(const AppState& state) {
    if (startup_.valid() || preparing_.valid() || !state.experiment) { return; }
    const std::int64_t size = device_ ? state.fieldWishes.size : 0;
    if (asked_ == state.experiment && askedSize_ == size) { return; }
    asked_ = state.experiment;
    askedSize_ = size;
    // A barrier is taken out of the lowered program, not of the text that a GPU would compile.
    const auto device = state.experiment->choice.withoutBarriers.empty() ? device_ : nullptr;
    FieldRequest request{state.experiment, size, device, field_.grid, field_.generated ? field_.initial : nullptr};
    preparing_ = std::async(std::launch::async, prepareField, std::move(request));
  }

  void receiveField(const AppState& state) {
    if (!ready(preparing_)) { return; }
    // A newer choice makes this one stale; the next frame asks for it.
    const bool stale = state.experiment != asked_;
    try {
      PreparedField prepared = preparing_.get();
      if (stale) { return; }
      adopt(std::move(prepared));
    } catch (const gpu::Error& failure) { loseGpu(failure.what()); } catch (const std::exception& failure) {
      giveUp(failure.what());
    }
  }

  void adopt(PreparedField prepared) {
    const bool onGpu = prepared.runner != nullptr;
    const bool wasOnGpu = buffers_ && buffers_->path() != FieldPath::Emulator;
    const bool sameField = buffers_ && buffers_->grid() == prepared.grid && onGpu == wasOnGpu;
    auto values = prepared.initial;
    if (sameField && emulator_) {
      emulator_->wait();
      const auto newest = emulator_->field();
      values = std::make_shared<const std::vector<std::byte>>(newest.begin(), newest.end());
    }
    emulator_.reset();
    field_.runner.reset();  // waits for its sweeps, which use the buffers
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
    if (!field_.runner) {
      emulator_ = std::make_unique<FieldEmulator>(field_.experiment->program, field_.launch, field_.pair, *values);
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
    dataChanged_ = true;
  }

  void startFrom0() {
    sweeps_ = 0;
    rangeKnown_ = false;
  }

  void restart() {
    emulator_.reset();
    if (field_.runner) { field_.runner->stream().synchronize(); }  // a few milliseconds of queued sweeps
    fill(field_.initial);
    startFrom0();
  }

  void sweep(FieldWishes& wishes) {
    running_ = wishes.run;
    if (std::exchange(wishes.singleSweep, false)) { ++pendingSweeps_; }
    if (field_.runner) {
      sweepOnGpu(wishes.hold);
    } else {
      sweepOnEmulator();
    }
  }

  void sweepOnGpu(bool hold) {
    gpu::SweepRunner& runner = *field_.runner;
    runner.poll();
    // Never more than a frame's worth is queued: the picture then follows the wishes at once.
    if (runner.idle() && !hold && (running_ || pendingSweeps_ > 0)) {
      const int affordable = runner.affordableSweeps(kSweepMsPerFrame);
      const int sweeps = running_ ? affordable : std::min(affordable, pendingSweeps_);
      buffers_->beginSweeps(runner.stream());
      for (int i = 0; i < sweeps; ++i) {
        runner.sweep(buffers_->input(), buffers_->output());
        buffers_->swap();
      }
      buffers_->endSweeps(runner.stream());
      sweeps_ += static_cast<std::uint64_t>(sweeps);
      pendingSweeps_ = std::max(0, pendingSweeps_ - sweeps);
      if (buffers_->path() == FieldPath::Interop) { dataChanged_ = true; }
    }
    if (buffers_->publish(runner.stream())) { dataChanged_ = true; }
  }

  void sweepOnEmulator() {
    if (emulator_->finished()) {
      if (!emulator_->problem().empty()) {
        problem_ = emulator_->problem();
        pendingSweeps_ = 0;
        return;
      }
      buffers_->show(emulator_->field());
      ++sweeps_;
      pendingSweeps_ = std::max(0, pendingSweeps_ - 1);
      dataChanged_ = true;
    }
    const bool wanted = pendingSweeps_ > 0 || (running_ && Clock::now() - emulatorBegan_ >= kEmulatorPause);
    if (wanted && !emulator_->sweeping() && emulator_->problem().empty()) {
      emulatorBegan_ = Clock::now();
      emulator_->begin();
    }
  }

  void updateRange() {
    if (dataChanged_) { bricks_.update(field_.grid, buffers_->shown()); }
    if (const auto found = bricks_.takeRange(!rangeKnown_)) {
      range_ = *found;
      if (!rangeKnown_) { shown_ = range_; }
      rangeKnown_ = true;
    }
    if (rangeReached()) {
      shown_ = range_;
    } else {
      shown_.low = std::lerp(shown_.low, range_.low, kRangeApproach);
      shown_.high = std::lerp(shown_.high, range_.high, kRangeApproach);
    }
  }

  [[nodiscard]] bool rangeReached() const {
    const float near = kRangeReached * (range_.high - range_.low);
    return std::abs(shown_.low - range_.low) <= near && std::abs(shown_.high - range_.high) <= near;
  }

  void draw(const FieldWishes& wishes) {
    FieldView view;
    view.width = wishes.width;
    view.height = wishes.height;
    view.volume = wishes.volume;
    view.axis = wishes.axis;
    view.slice = wishes.slice;
    view.yaw = wishes.yaw;
    view.pitch = wishes.pitch;
    view.distance = wishes.distance;
    view.low = shown_.low;
    view.high = shown_.high;
    view.surroundings = {unpack(wishes.background), unpack(wishes.frame), unpack(wishes.fault)};
    const auto longest = static_cast<int>(*std::max_element(field_.grid.extents.begin(), field_.grid.extents.end()));
    view.steps = options_.software ? 128 : std::clamp(2 * longest, 128, 640);
    const bool moved = view != wanted_;
    wanted_ = view;
    if (!moved && !dataChanged_ && !coarse_) { return; }
    // A processor takes a while for a cloud: coarse as long as things move, fine as soon as they rest.
    coarse_ = options_.software && view.volume && field_.grid.rank == 3 && (moved || dataChanged_);
    if (coarse_) {
      view.pixelStep = moved ? 3 : 2;
      view.steps = 64;
    }
    dataChanged_ = false;
    renderer_.draw(field_.grid, buffers_->shown(), bricks_, view);
  }

  void probe(AppState& state) const {
    const FieldWishes& wishes = state.fieldWishes;
    state.field.probe.reset();
    if (!wishes.pointer || (wishes.volume && field_.grid.rank == 3)) { return; }
    const FieldPlane plane = FieldPlane::of(field_.grid, wishes.axis, wishes.slice);
    const FieldFrame frame = FieldFrame::of(field_.grid, plane, wishes.width, wishes.height);
    std::int64_t column = 0;
    std::int64_t row = 0;
    if (!frame.cellAt((*wishes.pointer)[0], (*wishes.pointer)[1], column, row)) { return; }
    std::array<std::int64_t, 3> at{};
    at.at(static_cast<std::size_t>(plane.axis)) = plane.position;
    at.at(static_cast<std::size_t>(plane.rowAxis)) = row;
    at.at(static_cast<std::size_t>(plane.columnAxis)) = column;
    state.field.probe = FieldProbe{{at[0], at[1], at[2]}, buffers_->valueAt(at)};
  }

  /// After a kernel has failed on the GPU nothing runs there any more: the driver answers every call with that error.
  void loseGpu(const std::string& why) {
    upload_.reset();
    emulator_.reset();
    field_.runner.reset();
    buffers_.reset();
    missing_ =
        fmt::format("{} failed ({}): restart to use it again", device_ ? device_->properties().name : "the GPU", why);
    device_ = nullptr;
    sensors_.reset();
    peaks_ = {};
    asked_.reset();  // so that the field is made anew, for the emulator
  }

  /// This kernel cannot be swept; what() says why. Nothing is shown.
  void giveUp(const std::string& why) {
    upload_.reset();
    emulator_.reset();
    field_ = {};
    buffers_.reset();
    problem_ = why;
    pendingSweeps_ = 0;
    running_ = false;
    shown_ = range_ = {};
    coarse_ = dataChanged_ = false;
  }

  void tell(AppState& state) const {
    state.gpuName = device_ ? device_->properties().name : std::string();
    state.gpuMissing = startup_.valid() ? "still looking for one" : missing_;

    FieldStatus& status = state.field;
    status.preparing = startup_.valid() || preparing_.valid() || upload_ != nullptr;
    status.problem = problem_;
    status.copyGBs = peaks_.copyGBs;
    status.path = buffers_ ? buffers_->path() : FieldPath::None;
    status.running = buffers_ && running_;
    status.sweeps = sweeps_;
    status.texture = buffers_ ? renderer_.texture() : 0;
    status.low = shown_.low;
    status.high = shown_.high;
    status.kernel.clear();
    status.extents.clear();
    status.ring.clear();
    status.clockMHz = 0;
    status.powerWatts = 0;
    status.disturbance.clear();
    status.medianMs = status.p10Ms = status.p90Ms = status.effectiveGBs = status.fractionOfCopy = status.fieldBytes = 0;
    if (!buffers_) {
      status.pathReason.clear();
      status.probe.reset();
      return;
    }
    status.pathReason = buffers_->reason();
    if (!field_.runner) { status.pathReason = device_ ? field_.problem : missing_; }
    status.kernel = field_.experiment->file.id;
    status.extents.assign(field_.grid.extents.end() - field_.grid.rank, field_.grid.extents.end());
    status.fieldBytes = 2.0 * static_cast<double>(field_.grid.bytes());
    if (!field_.runner) { return; }
    if (sensors_) {
      // A single sweep is over before a sensor is read.
      sensors_->watch(running_);
      const gpu::Conditions conditions = sensors_->conditions();
      status.clockMHz = conditions.medianClockMHz;
      status.powerWatts = conditions.powerWatts;
      status.disturbance = conditions.disturbance;
    }
    for (const double milliseconds : field_.runner->ring()) { status.ring.push_back({milliseconds}); }
    const gpu::Spread spread = field_.runner->spread();
    status.medianMs = spread.medianMs;
    status.p10Ms = spread.p10Ms;
    status.p90Ms = spread.p90Ms;
    if (spread.medianMs > 0) { status.effectiveGBs = status.fieldBytes / (spread.medianMs * 1e6); }
    if (peaks_.copyGBs > 0) { status.fractionOfCopy = status.effectiveGBs / peaks_.copyGBs; }
  }

  FieldOptions options_;
  FieldBricks bricks_;
  FieldRenderer renderer_;

  std::shared_ptr<const gpu::Device> device_;
  std::string missing_;  ///< why there is no device
  gpu::Peaks peaks_;
  std::unique_ptr<gpu::SensorWatch> sensors_;  ///< with the device, or null

  std::shared_ptr<const experiment::Experiment> asked_;  ///< what preparing_ works on, or worked on last
  std::int64_t askedSize_ = 0;
  std::unique_ptr<FieldBuffers> buffers_;
  PreparedField field_;  ///< after the buffers: its end waits for the sweeps that use them
  std::shared_ptr<const std::vector<std::byte>> upload_;  ///< what the field is being filled with; null: it is filled
  std::size_t uploaded_ = 0;                              ///< bytes of it
  std::unique_ptr<FieldEmulator> emulator_;
  std::string problem_;

  bool running_ = false;
  int pendingSweeps_ = 0;
  std::uint64_t sweeps_ = 0;
  Clock::time_point emulatorBegan_;

  bool dataChanged_ = false;  ///< since the picture was drawn
  bool coarse_ = false;       ///< the picture is to be refined
  bool rangeKnown_ = false;
  FieldRange range_, shown_;  ///< found, and at the ends of the colour scale
  FieldView wanted_;

  // Last: their ends wait for the workers.
  std::future<Startup> startup_;
  std::future<PreparedField> preparing_;
};

FieldController::FieldController(FieldOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}

FieldController::~FieldController() = default;

void FieldController::update(AppState& state) { impl_->update(state); }

bool FieldController::changes() const { return impl_->changes(); }

void FieldController::settle(AppState& state) {
  const bool run = std::exchange(state.fieldWishes.run, false);
  do {
    impl_->update(state);
    if (impl_->working()) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }
  } while (impl_->changes());
  impl_->update(state);
  state.fieldWishes.run = run;
}

void FieldController::sweep(AppState& state, int sweeps) {
  settle(state);
  for (int i = 0; i < sweeps; ++i) {
    state.fieldWishes.singleSweep = true;
    impl_->update(state);
  }
  settle(state);
}

}  // namespace haloscope::render
