#include "field/FieldController.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "actions/PlaygroundActions.h"
#include "field/CurveColumns.h"
#include "field/FieldPicture.h"
#include "field/FieldPreparation.h"
#include "field/SweptField.h"
#include "hardware/Peaks.h"
#include "hardware/SensorWatch.h"
#include "language/Text.h"
#include "work/Worker.h"

namespace haloscope::field {

namespace {

constexpr std::int64_t kLongestCurve = std::int64_t{1} << 20U;  // points that are read back for a frame

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
        picture_(options_.shaders, options_.software),
        swept_(pool, options_.hostCopy, options_.limits.run),
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
      missing_ = tr("the GPU is not used");
    }
  }

  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    preparing_.cancel();
    // Their ends wait for the sweeps, which may have none.
    while (swept_.sweepingHere()) {
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
    return startup_.busy() || preparing_.busy() || swept_.working() ||
           (swept_.buffers() && picture_.searching() && !unwatched_);
  }
  [[nodiscard]] bool changes() const { return working() || swept_.running() || (picture_.changes() && !unwatched_); }
  /// Nothing is drawn meanwhile.
  void setUnwatched(bool unwatched) {
    unwatched_ = unwatched;
    swept_.setUnwatched(unwatched);
  }

 private:
  /// Does what may fail on the GPU or for this kernel.
  template <typename Step>
  void guarded(Step step) {
    try {
      step();
    } catch (const gpu::Error& failure) {
      if (failure.endsProcess() && device_) {
        loseGpu(trf("{} failed ({})", gpuName_, failure.what()));
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

  void collectSweeps() {
    if (swept_.overdue()) {
      loseGpu(trf("{} did not end within {} s on {}, which stays busy with it until Haloscope is closed",
                  swept_.prepared().experiment->file.id, static_cast<double>(options_.limits.run.count()) / 1000,
                  gpuName_));
    }
    if (swept_.collect()) { noteChange(); }
  }

  void showField(AppState& state) {
    if (!swept_.buffers()) { return; }
    if (state.fieldControls.reset && !swept_.sweepingHere()) {
      state.fieldControls.reset = false;
      state.fieldControls.goal = 0;
      restart(state);
    }
    if (swept_.upload()) { noteChange(); }
    if (swept_.filling()) { return; }
    if (!unwatched_) {
      const bool grey = state.playground.entered && takesPictures(state);
      picture_.draw(swept_.prepared().grid, swept_.buffers()->shown(), state.fieldControls, grey);
      updateCurve(state);
    }
    probe(state);
    paint(state);
    watchResidual(state);
    if (swept_.sweep(state.fieldControls)) { noteChange(); }
  }

  void noteChange() {
    picture_.noteChange();
    curveStale_ = true;
  }

  /// A field of one axis is shown as a curve.
  void updateCurve(AppState& state) {
    FieldCurve& curve = state.field.curve;
    const render::FieldGrid& grid = swept_.prepared().grid;
    if (grid.rank != 1 || grid.points() > kLongestCurve) {
      curve = {};
      return;
    }
    const auto columns =
        static_cast<std::size_t>(std::min<std::int64_t>(std::max(state.fieldControls.width, 1), grid.points()));
    if (!curveStale_ && curve.now.size() == columns) { return; }
    curveStale_ = false;
    std::vector<std::byte> values(grid.bytes());
    swept_.buffers()->read(values);
    curve.now = curveColumns(values, grid.element, columns);
    const PreparedField& field = swept_.prepared();
    curve.input = curveColumns(*field.initial.at(field.arrays.shown), grid.element, columns);
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
    if (asked_ == state.experiment && askedSize_ == size && insisted_ == insisted &&
        askedKey_ == state.fieldControls.key) {
      return;
    }
    asked_ = state.experiment;
    askedSize_ = size;
    insisted_ = insisted;
    FieldRequest request{.experiment = state.experiment,
                         .key = askedKey_ = state.fieldControls.key,
                         .sameInput = state.fieldControls.sameInput,
                         .size = size};
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
    request.knownGrid = swept_.prepared().grid;
    const PreparedField& last = swept_.prepared();
    const bool sameKind = last.generated && last.experiment->choice.data == experiment.choice.data &&
                          !experiment.file.problem && !last.experiment->file.problem;
    if (sameKind) { request.known = last.initial; }
    preparing_.request(std::move(request));
  }

  /// Whether the user runs this kernel on the GPU although it was refused. The first answer to a text is the gate's.
  [[nodiscard]] bool isInsistedOn(const AppState& state) const {
    const experiment::Experiment& experiment = *state.experiment;
    if (state.fieldControls.insistedOn != experiment.file.id) { return false; }
    return experiment.fault || (asked_ == state.experiment && (refused_ || insisted_));
  }

  void receiveField(const AppState& state) {
    if (swept_.sweepingHere()) { return; }
    std::optional<PreparedField> prepared = preparing_.poll();
    if (!prepared) { return; }
    refused_ = false;
    // A newer choice makes this one stale; the next frame asks for it.
    if (state.experiment == asked_ && swept_.adopt(*std::move(prepared), device_)) {
      picture_.forgetRange();
      restarted_ = true;
    }
  }

  void restart(const AppState& state) {
    picture_.forgetRange();
    restarted_ = true;
    if (swept_.restart()) { return; }
    asked_.reset();  // the kernel gets another process
    askForField(state);
  }

  void probe(AppState& state) const {
    const FieldControls& controls = state.fieldControls;
    state.field.probe.reset();
    if (!controls.pointer || (controls.volume && swept_.prepared().grid.rank == 3)) { return; }
    if (!state.field.curve.now.empty()) {
      const auto last = swept_.prepared().grid.points() - 1;
      const double share = (*controls.pointer)[0] / static_cast<float>(std::max(controls.width, 1));
      const auto index =
          std::clamp(static_cast<std::int64_t>(share * static_cast<double>(last + 1)), std::int64_t{0}, last);
      state.field.probe = FieldProbe{{0, 0, index}, swept_.buffers()->valueAt({0, 0, index})};
      return;
    }
    const auto found = pointed(controls);
    if (!found) { return; }
    const std::array<std::int64_t, 3>& at = *found;
    state.field.probe = FieldProbe{{at[0], at[1], at[2]}, swept_.buffers()->valueAt(at)};
  }

  /// The point of the picture's plane under the pointer.
  [[nodiscard]] std::optional<std::array<std::int64_t, 3>> pointed(const FieldControls& controls) const {
    const render::FieldGrid& grid = swept_.prepared().grid;
    const render::FieldPlane plane = render::FieldPlane::of(grid, controls.axis, controls.slice);
    const render::FieldFrame frame = render::FieldFrame::of(grid, plane, controls.width, controls.height);
    std::int64_t column = 0;
    std::int64_t row = 0;
    if (!frame.cellAt((*controls.pointer)[0], (*controls.pointer)[1], column, row)) { return std::nullopt; }
    std::array<std::int64_t, 3> at{};
    at.at(static_cast<std::size_t>(plane.axis)) = plane.position;
    at.at(static_cast<std::size_t>(plane.rowAxis)) = row;
    at.at(static_cast<std::size_t>(plane.columnAxis)) = column;
    return at;
  }

  /// At the beginning, and then a few times a second.
  void watchResidual(AppState& state) {
    std::vector<FieldStatus::Residual>& all = state.field.residuals;
    if (std::exchange(restarted_, false)) {
      all.clear();
      painted_ = false;
    }
    const auto now = std::chrono::steady_clock::now();
    const bool due = all.empty() || paintedOver_ ||
                     (all.back().sweeps != swept_.sweeps() && now - residualAt_ >= std::chrono::milliseconds(250));
    if (!due) { return; }
    const auto residual = swept_.residual();
    if (!residual) {
      if (swept_.hasResidual()) { swept_.holdOnce(); }
      return;
    }
    if (residual->points == 0) { return; }
    residualAt_ = now;
    paintedOver_ = false;
    if (!all.empty() && all.back().sweeps == residual->sweeps) { all.pop_back(); }
    all.push_back(*residual);
    constexpr std::size_t kMost = 2000;
    if (all.size() > kMost) {  // every other one
      for (std::size_t i = 0; 2 * i < all.size(); ++i) { all[i] = all[2 * i]; }
      all.resize((all.size() + 1) / 2);
    }
  }

  /// Points around the pointer get the brush's values; those of the outermost layer
  /// keep theirs.
  void paint(AppState& state) {
    FieldControls& controls = state.fieldControls;
    const bool flat = !controls.volume || swept_.prepared().grid.rank < 3;
    const bool asked = controls.painting && controls.pointer && flat && state.field.paintable;
    const auto middle = asked ? pointed(controls) : std::nullopt;
    if (!middle) {
      controls.painting = false;
      return;
    }
    const PreparedField& field = swept_.prepared();
    const render::FieldGrid& grid = field.grid;
    std::vector<std::pair<std::int64_t, std::int64_t>> runs;
    const auto radius = static_cast<std::int64_t>(std::ceil(controls.brushRadius));
    const auto within = [&](std::int64_t dz, std::int64_t dy, std::int64_t dx) {
      return static_cast<float>(dz * dz + dy * dy + dx * dx) <= controls.brushRadius * controls.brushRadius + 0.25F;
    };
    const auto inGrid = [&](std::size_t axis, std::int64_t at) {
      const std::int64_t margin = grid.extents.at(axis) > 2 ? 1 : 0;
      return at >= margin && at < grid.extents.at(axis) - margin;
    };
    for (std::int64_t z = (*middle)[0] - radius; z <= (*middle)[0] + radius; ++z) {
      for (std::int64_t y = (*middle)[1] - radius; y <= (*middle)[1] + radius; ++y) {
        if (!inGrid(0, z) || !inGrid(1, y)) { continue; }
        std::int64_t first = 0;
        std::int64_t count = 0;
        for (std::int64_t x = (*middle)[2] - radius; x <= (*middle)[2] + radius; ++x) {
          if (!inGrid(2, x) || !within(z - (*middle)[0], y - (*middle)[1], x - (*middle)[2])) { continue; }
          if (count++ == 0) { first = grid.index({z, y, x}); }
        }
        if (count > 0) { runs.emplace_back(first, count); }
      }
    }
    bool painted = false;
    for (const auto& [name, value] : controls.brush) {
      const ObjectId object = field.experiment->program->findObject(name);
      const auto place = std::ranges::find(field.arrays.objects, object);
      if (place == field.arrays.objects.end()) { continue; }
      painted |= swept_.paint(static_cast<std::size_t>(place - field.arrays.objects.begin()), runs, value);
    }
    if (!painted) { return; }  // sweeps are under way: the next frame
    controls.painting = false;
    paintedOver_ = painted_ = true;
    noteChange();
    // Without steps in time, the result follows what is painted.
    if (!field.arrays.noTimeStep.empty() && !controls.run) { controls.singleSweep = true; }
  }

  /// Nothing runs on the GPU in this process any more: `why`. Other processes go on.
  void loseGpu(std::string why) {
    device_->abandon();
    device_ = nullptr;
    sensors_.reset();
    peaks_ = {};
    swept_.leaveGpu();
    gpuLoss_ = std::move(why);
    asked_.reset();  // so that the field is rebuilt
  }

  /// This kernel cannot be swept; what() says why. Nothing is shown.
  void giveUp(const std::string& why) {
    swept_.giveUp(why);
    refused_ = false;
    picture_.clear();
  }

  [[nodiscard]] std::string refusalReason() const {
    return swept_.prepared().experiment->fault ? tr("the kernel has a fault")
                                               : tr("the kernel was not cleared for the GPU");
  }

  void publish(AppState& state) const {
    state.gpuName = gpuName_;
    state.gpuTrouble = gpuLoss_.value_or(std::string());
    state.gpuMissing = startup_.busy() ? tr("still being looked for") : missing_;

    const PreparedField& field = swept_.prepared();
    const FieldBuffers* const buffers = swept_.buffers();
    FieldStatus& status = state.field;
    status.preparing = startup_.busy() || preparing_.busy() || swept_.filling();
    status.problem = swept_.problem();
    status.refused = refused_;
    status.copyGBs = peaks_.copyGBs;
    status.path = buffers ? buffers->path() : FieldPath::None;
    status.running = buffers != nullptr && swept_.running();
    status.paintable = buffers != nullptr && !field.process && field.grid.rank > 1;
    status.sweeps = swept_.sweeps();
    status.painted = painted_;
    status.texture = buffers ? picture_.texture() : 0;
    status.low = picture_.range().low;
    status.high = picture_.range().high;
    status.noTimeStep = buffers ? field.arrays.noTimeStep : std::string();
    status.sweepsPerSecond = swept_.sweepsPerSecond();
    status.kernel.clear();
    status.extents.clear();
    status.ring.clear();
    status.clockMHz = 0;
    status.powerWatts = 0;
    status.disturbance.clear();
    status.medianMs = status.p10Ms = status.p90Ms = status.effectiveGBs = status.fractionOfCopy = status.fieldBytes =
        status.sweepBytes = 0;
    if (!buffers) {
      status.curve = {};
      status.pathReason.clear();
      status.probe.reset();
      return;
    }
    status.pathReason = buffers->reason();
    if (field.process) {
      status.path = FieldPath::HostCopy;
      status.pathReason =
          trf("in a child process, because {}", insisted_ ? refusalReason() : gpuLoss_.value_or(std::string()));
    } else if (!field.runner) {
      status.pathReason = gpuRuns() ? field.problem : missing_;
    }
    status.kernel = field.experiment->file.id;
    status.extents.assign(field.grid.extents.end() - field.grid.rank, field.grid.extents.end());
    status.element = field.grid.element;
    status.fieldBytes = 2.0 * static_cast<double>(field.grid.bytes());
    status.sweepBytes = field.sweepBytes;
    if (field.runner && sensors_) {
      sensors_->watch(swept_.active());
      const hardware::Conditions conditions = sensors_->conditions();
      status.clockMHz = conditions.medianClockMHz;
      status.powerWatts = conditions.powerWatts;
      status.disturbance = conditions.disturbance;
    }
    status.machineCode = swept_.byMachineCode();
    std::vector<double> times = swept_.times();
    if (times.empty()) { return; }
    for (const double milliseconds : times) { status.ring.push_back({milliseconds}); }
    const gpu::Spread spread = gpu::spreadOf(std::move(times));
    status.medianMs = spread.medianMs;
    status.p10Ms = spread.p10Ms;
    status.p90Ms = spread.p90Ms;
    status.effectiveGBs = spread.perNanosecond(status.sweepBytes);
    if (peaks_.copyGBs > 0) { status.fractionOfCopy = status.effectiveGBs / peaks_.copyGBs; }
  }

  FieldOptions options_;
  FieldPicture picture_;

  std::shared_ptr<const gpu::Device> device_;
  std::string missing_;                 ///< why there is no device
  std::string gpuName_;                 ///< also after it was given up in this process
  std::optional<std::string> gpuLoss_;  ///< why every kernel runs in a child process; none: they need not
  hardware::Peaks peaks_;
  std::unique_ptr<hardware::SensorWatch> sensors_;  ///< with the device, or null

  std::shared_ptr<const experiment::Experiment> asked_;  ///< what preparing_ works on, or worked on last
  std::int64_t askedSize_ = 0;
  std::string askedKey_;
  bool insisted_ = false;
  SweptField swept_;
  bool refused_ = false;  ///< the emulator found a fault, and there is a GPU all the same

  std::chrono::steady_clock::time_point residualAt_;
  bool restarted_ = false;    ///< likewise: the field begins anew
  bool paintedOver_ = false;  ///< since the last residual
  bool painted_ = false;      ///< since the field's beginning

  bool unwatched_ = false;
  bool curveStale_ = true;  ///< the field has changed since its curve was made

  work::Worker<gpu::DeviceOptions, Startup> startup_;
  work::Worker<FieldRequest, PreparedField> preparing_;
};

FieldController::FieldController(FieldOptions options, work::Pool& pool)
    : impl_(std::make_unique<Impl>(std::move(options), pool)) {}

FieldController::~FieldController() = default;

void FieldController::update(AppState& state) { impl_->update(state); }

std::optional<std::shared_ptr<const gpu::Device>> FieldController::device() const { return impl_->device(); }

bool FieldController::changes() const { return impl_->changes(); }

void FieldController::setUnwatched(bool unwatched) { impl_->setUnwatched(unwatched); }

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
  impl_->setUnwatched(true);
  for (int i = 0; i < sweeps; ++i) {
    state.fieldControls.singleSweep = true;
    impl_->update(state);
  }
  settle(state);
  impl_->setUnwatched(false);
  settle(state);
}

}  // namespace haloscope::field
