#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "actions/ChosenGpu.h"
#include "book/Figure.h"
#include "book/FigureCommand.h"
#include "figures/CodeReport.h"
#include "figures/LaunchTail.h"
#include "figures/TailCells.h"
#include "figures/TailWaves.h"
#include "language/Text.h"
#include "program/NumberText.h"
#include "state/AppState.h"
#include "text/Print.h"
#include "work/Worker.h"

/// Threads, warps and blocks without work.
namespace haloscope {
namespace {

using Json = nlohmann::ordered_json;
using figures::LaunchTail;
using figures::TailCurve;
using figures::TailSample;

/// The GPU that waves are predicted for.
struct Waves {
  figures::CodeTarget target;
  figures::CodeReport code;
  std::optional<figures::TailWaves> found;  ///< none: not known
};

const TailSample* sampleAt(const TailCurve& curve, std::int64_t size) {
  for (const TailSample& sample : curve.samples) {
    if (sample.size == size) { return &sample; }
  }
  return nullptr;
}

Json workJson(const analysis::WorkTally& work) {
  return {{"threads", work.threads},
          {"threads_that_store", work.working},
          {"threads_that_only_help", work.helping},
          {"threads_idle", work.idle},
          {"warps", work.warps},
          {"warps_full", work.fullWarps},
          {"warps_partly_working", work.partialWarps},
          {"warps_only_helping", work.helpingWarps},
          {"warps_that_only_leave", work.idleWarps}};
}

Json toJson(const KernelFile& file, const LaunchTail& tail, const TailCurve& curve, const Waves& waves) {
  const Dim3& grid = tail.configuration.grid;
  const Dim3& block = tail.configuration.block;
  Json json = {{"kernel", file.id},
               {"bindings", tail.bindings},
               {"grid", {grid.x, grid.y, grid.z}},
               {"block", {block.x, block.y, block.z}},
               {"executed", tail.executed ? workJson(tail.work) : Json(nullptr)},
               {"problem", tail.problem.empty() ? Json(nullptr) : Json(tail.problem)}};
  if (tail.executed) {
    json["executed"]["blocks"] = tail.blocks.size();
    json["executed"]["blocks_without_work"] = tail.blocksWithoutWork();
  }
  Json samples = Json::array();
  for (const TailSample& sample : curve.samples) {
    const auto share = sample.withoutWork();
    samples.push_back({{"size", sample.size},
                       {"blocks", sample.blocks},
                       {"threads", sample.threads},
                       {"threads_that_store", sample.working ? Json(*sample.working) : Json(nullptr)},
                       {"share_without_work", share ? Json(*share) : Json(nullptr)}});
  }
  json["by_formula"] = {{"over", curve.size}, {"note", curve.note}, {"samples", std::move(samples)}};
  json["gpu"] = {{"name", waves.target.name},
                 {"resident_blocks", waves.found ? Json(waves.found->residentBlocks) : Json(nullptr)},
                 {"waves", waves.found ? Json(waves.found->waves) : Json(nullptr)},
                 {"problem", waves.code.problem.empty() ? Json(nullptr) : Json(waves.code.problem)}};
  return json;
}

void printTail(const KernelFile& file, const LaunchTail& tail, const TailCurve& curve, const Waves& waves) {
  const Dim3& grid = tail.configuration.grid;
  const Dim3& block = tail.configuration.block;
  std::string sizes;
  for (const SizeParameter& size : file.sizes) {
    sizes += fmt::format("{}{} = {}", sizes.empty() ? tr(" at ") : ", ", size.name, tail.bindings.at(size.name));
  }
  trPrint("{}{}: grid {}×{}×{} of blocks {}×{}×{}\n", file.id, sizes, grid.x, grid.y, grid.z, block.x, block.y,
          block.z);
  if (!tail.problem.empty()) { printText("{}\n", tail.problem); }
  if (tail.executed) {
    const analysis::WorkTally& work = tail.work;
    const auto line = [](const char* what, std::uint64_t part, std::uint64_t all) {
      printText("  {:<44}{:>14}{:>7.1f} %\n", what, grouped(part),
                100 * static_cast<double>(part) / static_cast<double>(all));
    };
    line(tr("threads launched, executed"), work.threads, work.threads);
    line(tr("... that store a result"), work.working, work.threads);
    line(tr("... that only fill a tile"), work.helping, work.threads);
    line(tr("... that touch no memory"), work.idle, work.threads);
    line("warps", work.warps, work.warps);
    line(tr("... with 32 lanes that store a result"), work.fullWarps, work.warps);
    line(tr("... with fewer lanes that store a result"), work.partialWarps, work.warps);
    line(tr("... that only fill a tile"), work.helpingWarps, work.warps);
    line(tr("... that return at once"), work.idleWarps, work.warps);
    line(tr("blocks without a result"), tail.blocksWithoutWork(), grid.count());
  }
  if (!curve.note.empty()) { printText("{}\n", curve.note); }
  const TailSample* sample = curve.size.empty() ? nullptr : sampleAt(curve, tail.bindings.at(curve.size));
  if (sample != nullptr && sample->working) {
    trPrint("  by formula {} of {} threads store a result\n", grouped(*sample->working), grouped(sample->threads));
  }
  if (waves.found) {
    trPrint("  {}: {} blocks at once, {:.2f} waves\n", waves.target.name, grouped(waves.found->residentBlocks),
            waves.found->waves);
  } else if (!waves.code.problem.empty()) {
    trPrint("  {}: waves are not known. {}\n", waves.target.name, waves.code.problem);
  }
}

class TailCommand final : public FigureCommand {
 public:
  void print(const Catalogue& catalogue) const override {
    const ChosenKernel chosen = chosenKernel(catalogue, kernel_.id, kernel_.kernel);
    const KernelFile& file = chosen.file;
    const Bindings all = file.bind(chosen.bindings);
    const Bindings bindings = kernel_.kernel.knobs.sizeOption(file).empty() ? figures::tailDefaults(file, all) : all;
    const LaunchTail tail = figures::countTail(file, bindings);
    TailCurve curve;
    if (!file.sizes.empty()) {
      const SizeParameter& size = file.sizes.front();
      const std::int64_t n = bindings.at(size.name);
      curve = figures::tailCurve(file, bindings, size.name, std::max(size.minimum, n - 300),
                                 std::min(size.maximum, n + 299));
    }
    Waves waves{gpu_.codeTarget(), {}, {}};
    waves.code.bindings = bindings;
    figures::CodeReporter().report(file, waves.code, waves.target);
    waves.found = figures::tailWaves(tail.configuration, waves.code, waves.target);
    if (kernel_.json) {
      printJson(toJson(file, tail, curve, waves));
    } else {
      printTail(file, tail, curve, waves);
    }
  }
  void prepare(FigurePicture& of) const override {
    if (of.sized) { of.state.figures.tail.begin(of.file, of.recorded.bindings); }
  }
};

constexpr std::int64_t kFlatPage = 300, kSolidPage = 60;  ///< half of the sizes that the curve shows

/// The range of sizes that the curve shows around this one: it stays the same for small changes of the size.
std::pair<std::int64_t, std::int64_t> pageOf(const KernelFile& file, const SizeParameter& size, std::int64_t value) {
  const bool solid = !file.arrays.empty() && file.arrays.front().shape.size() >= 3;
  const std::int64_t half = solid ? kSolidPage : kFlatPage;
  const std::int64_t first = std::max<std::int64_t>(0, value / half - 1) * half;
  return {std::max(size.minimum, first), std::min(size.maximum, first + 2 * half)};
}

/// Executes the grid at the sizes of the tail's figure, and computes the curve around them.
class TailWork final : public FigureWork {
 public:
  explicit TailWork(work::Pool& pool);
  void update(AppState& state) override;
  [[nodiscard]] bool busy() const override { return count_.busy() || curve_.busy(); }

 private:
  void finish() override {
    count_.finish();
    curve_.finish();
  }

  struct CountRequest {
    std::shared_ptr<const KernelFile> file;
    Bindings bindings;
    bool operator==(const CountRequest&) const = default;
  };
  struct CurveRequest {
    std::shared_ptr<const KernelFile> file;
    Bindings bindings;
    std::string size;
    std::int64_t lowest = 1, highest = 1;
    figures::CodeTarget target;
    bool operator==(const CurveRequest&) const = default;
  };
  struct Count {
    std::shared_ptr<const LaunchTail> tail;
    std::shared_ptr<const figures::TailCells> cells;
  };
  struct Curve {
    std::shared_ptr<const TailCurve> curve;
    figures::CodeReport code;
  };

  static void receive(AppState& state, Count count);
  static void receive(AppState& state, Curve curve);

  std::shared_ptr<const KernelFile> file_;         ///< the same one as long as the text is
  std::optional<figures::CodeReporter> reporter_;  ///< used by the curve's task alone
  work::Worker<CountRequest, Count> count_;
  work::Worker<CurveRequest, Curve> curve_;
};

TailWork::TailWork(work::Pool& pool)
    : count_(pool, {work::Priority::Background, work::Cores::All},
             [](const CountRequest& request, const std::stop_token& stop) {
               auto tail =
                   std::make_shared<const LaunchTail>(figures::countTail(*request.file, request.bindings, stop));
               auto cells = std::make_shared<const figures::TailCells>(figures::tailCells(*tail));
               return Count{std::move(tail), std::move(cells)};
             }),
      curve_(pool, {work::Priority::Background, work::Cores::One},
             [this](const CurveRequest& request, const std::stop_token& stop) {
               Curve made{std::make_shared<const TailCurve>(figures::tailCurve(
                              *request.file, request.bindings, request.size, request.lowest, request.highest, stop)),
                          {}};
               if (!reporter_) { reporter_.emplace(); }
               made.code.bindings = request.bindings;
               if (request.target.capability > 0) { reporter_->report(*request.file, made.code, request.target); }
               return made;
             }) {}

void TailWork::receive(AppState& state, Count count) {
  state.figures.tail.tail = std::move(count.tail);
  state.figures.tail.cells = std::move(count.cells);
  state.figures.tail.counting = false;
}

void TailWork::receive(AppState& state, Curve curve) {
  state.figures.tail.curve = std::move(curve.curve);
  state.figures.tail.code = std::move(curve.code);
}

void TailWork::update(AppState& state) {
  if (auto count = count_.poll()) { receive(state, *std::move(count)); }
  if (auto curve = curve_.poll()) { receive(state, *std::move(curve)); }
  if (!state.figures.shows("tail") || state.experiment == nullptr) { return; }
  const experiment::Experiment& experiment = *state.experiment;
  TailFigure& figure = state.figures.tail;
  if (file_ == nullptr || file_->id != experiment.file.id || file_->text != experiment.file.text) {
    file_ = std::make_shared<const KernelFile>(experiment.file);
  }
  const std::string& id = experiment.file.id;
  if (figure.kernel != id || !figure.fits(experiment.bindings)) {
    figure.begin(*file_, figures::tailDefaults(*file_, experiment.bindings));
  }
  // Tunables are the window's, sizes are the figure's own.
  for (const auto& [name, value] : experiment.bindings) {
    if (file_->findSize(name) == nullptr) { figure.sizes[name] = value; }
  }
  count_.follow({file_, figure.sizes});
  figure.counting = count_.busy();
  if (const SizeParameter* size = file_->findSize(figure.size)) {
    const auto [lowest, highest] = pageOf(*file_, *size, figure.sizes.at(figure.size));
    // Along the curve the sizes that run with it begin where it begins.
    const Bindings from = figures::withSize(*file_, figure.sizes, figure.size, lowest);
    const measuring::GpuSpec* gpu = chosenGpu(state);
    const figures::CodeTarget target = gpu == nullptr ? figures::CodeTarget{} : figures::codeTarget(*gpu);
    if (figure.target != target) { figure.code = {}; }  // until it is known for this one
    figure.target = target;
    curve_.follow({file_, from, figure.size, lowest, highest, figure.target});
  }
}

}  // namespace

extern const Figure kTailFigure{trMark("Blocks, warps and threads without work where blocks do not divide the domain"),
                                newCommand<TailCommand>, newWork<TailWork>, true};

}  // namespace haloscope
