#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "actions/ChosenGpu.h"
#include "book/Figure.h"
#include "book/FigureCommand.h"
#include "figures/OpPerByteCurve.h"
#include "figures/ReuseBounds.h"
#include "figures/ThreadOrganisation.h"
#include "language/Text.h"
#include "state/AppState.h"
#include "text/Print.h"
#include "work/Worker.h"

/// OP/B over a tunable.
namespace haloscope {
namespace {

using Json = nlohmann::ordered_json;
using figures::OpPerByteCurve;
using figures::OpPerBytePoint;
using figures::ReuseBound;
using figures::VariantReuse;

template <typename T>
Json orNull(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json pointJson(const OpPerBytePoint& point, const KernelFile& file) {
  Json json = {{"value", point.value}, {"formula", orNull(point.formula)}, {"formula_bound", orNull(point.bound)}};
  if (!point.count) {
    json["refused"] = point.refused;
    return json;
  }
  const figures::InteriorCount& count = *point.count;
  const figures::ThreadOrganisation organisation = figures::organisationOf(count.tile);
  json["executed"] = point.executed();
  Json sizes = Json::object();
  for (const SizeParameter& size : file.sizes) { sizes[size.name] = count.block.bindings.at(size.name); }
  json["executed_at_sizes"] = std::move(sizes);
  json["operations_per_output"] = count.operationsPerOutput();
  json["reuse_bound"] = count.reuseBound();
  json["halo_share"] = orNull(count.block.haloFraction);
  json["threads"] = count.work.threads;
  json["threads_without_output_share"] = count.withoutOutput();
  json["shared_bytes"] = point.sharedBytes;
  if (!count.tile.empty()) {
    json["input_tile_block"] = {{"idle_share_computing", organisation.idleComputing()}};
    json["output_tile_block"] = {{"load_turns", organisation.loadTurns()},
                                 {"idle_share_loading", organisation.idleLoading()}};
  }
  return json;
}

Json boundsJson() {
  Json bounds = Json::array();
  for (const ReuseBound& bound : figures::reuseBounds()) {
    bounds.push_back({{"dimensions", bound.dimensions},
                      {"order", bound.order},
                      {"stencil_points", bound.stencilPoints()},
                      {"stencil_op_per_byte", ReuseBound::opPerByte(bound.stencilPoints())},
                      {"convolution_points", bound.convolutionPoints()},
                      {"convolution_op_per_byte", ReuseBound::opPerByte(bound.convolutionPoints())}});
  }
  return bounds;
}

Json variantJson(const VariantReuse& variant) {
  return {{"kernel", variant.id},
          {"dimensions", variant.dimensions},
          {"order", variant.order},
          {"points", variant.points},
          {"operations_per_output", variant.operationsPerOutput},
          {"element_bytes", variant.elementBytes},
          {"reuse_bound", variant.bound},
          {"executed", variant.executed},
          {"threads_without_output_share", variant.withoutOutput},
          {"problem", variant.problem.empty() ? Json(nullptr) : Json(variant.problem)}};
}

Json toJson(const OpPerByteCurve& curve, const std::vector<VariantReuse>& variants) {
  Json points = Json::array();
  for (const OpPerBytePoint& point : curve.points) { points.push_back(pointJson(point, *curve.file)); }
  Json walls = Json::array();
  for (const figures::LaunchWall& wall : curve.walls) {
    walls.push_back({{"last_value", wall.last}, {"limit", wall.limit}, {"explanation", wall.explanation}});
  }
  Json executed = Json::array();
  for (const VariantReuse& variant : variants) { executed.push_back(variantJson(variant)); }
  return {{"kernel", curve.file->id},
          {"bindings", curve.bindings},
          {"over", curve.tunable.empty() ? Json(nullptr) : Json(curve.tunable)},
          {"formula", curve.file->opPerByte ? Json(curve.file->opPerByte->text()) : Json(nullptr)},
          {"problem", curve.problem.empty() ? Json(nullptr) : Json(curve.problem)},
          {"points", std::move(points)},
          {"walls", std::move(walls)},
          {"bounds_by_formula", boundsJson()},
          {"variants_executed", std::move(executed)}};
}

std::string numberOr(const std::optional<double>& value) { return value ? fmt::format("{:.4f}", *value) : "-"; }

void printCurve(const OpPerByteCurve& curve, const std::vector<VariantReuse>& variants) {
  if (!curve.problem.empty()) { printText("{}\n", curve.problem); }
  if (!curve.points.empty()) {
    trPrint("{}: operations per byte loaded, over {}\n", curve.file->id, curve.tunable);
    printText("{:>6}{:>10}{:>10}{:>10}{:>10}{:>8}{:>9}{:>16}{:>10}\n", tr("value"), tr("formula"), tr("bound"),
              tr("executed"), tr("reuse"), tr("halo"), tr("threads"), tr("without output"), tr("shared B"));
  }
  for (const OpPerBytePoint& point : curve.points) {
    if (!point.count && !point.formula) {
      printText("{:>6}  {}\n", point.value, point.refused);
      continue;
    }
    printText("{:>6}{:>10}{:>10}", point.value, numberOr(point.formula), numberOr(point.bound));
    if (!point.count) {
      printText("  {}\n", point.refused);
      continue;
    }
    const auto halo = point.count->block.haloFraction;
    const std::string other = point.otherSizes(*curve.file);
    printText("{:>10.4f}{:>10.4f}{:>8}{:>9}{:>13.1f}%{:>9}{}\n", point.executed(), point.count->reuseBound(),
              halo ? fmt::format("{:.1f}%", 100 * *halo) : "-", point.count->work.threads,
              100 * point.count->withoutOutput(), point.sharedBytes,
              other.empty() ? "" : trf("  of a grid of {}", other));
  }
  for (const figures::LaunchWall& wall : curve.walls) { trPrint("limit at {}: {}\n", wall.last, wall.explanation); }
  trPrint(
      "\nupper bound if every 4-byte value is loaded once, with 2 operations per "
      "point:\n{:>4}{:>7}{:>16}{:>8}{:>16}{:>8}\n",
      tr("dim"), tr("order"), tr("stencil points"), "OP/B", tr("filter points"), "OP/B");
  for (const ReuseBound& bound : figures::reuseBounds()) {
    printText("{:>4}{:>7}{:>16}{:>8.1f}{:>16}{:>8.1f}\n", bound.dimensions, bound.order, bound.stencilPoints(),
              ReuseBound::opPerByte(bound.stencilPoints()), bound.convolutionPoints(),
              ReuseBound::opPerByte(bound.convolutionPoints()));
  }
  trPrint("\nexecuted by the variants at their defaults:\n{:<34}{:>4}{:>7}{:>8}{:>10}{:>8}{:>10}\n", tr("variant"),
          tr("dim"), tr("order"), tr("points"), tr("op/output"), tr("bound"), tr("executed"));
  for (const VariantReuse& variant : variants) {
    if (!variant.problem.empty()) {
      printText("{:<34}{}\n", variant.id, variant.problem);
      continue;
    }
    printText("{:<34}{:>4}{:>7}{:>8}{:>10.2f}{:>8.2f}{:>10.4f}\n", variant.id, variant.dimensions, variant.order,
              variant.points, variant.operationsPerOutput, variant.bound, variant.executed);
  }
}

/// The tunable of `file` that OP/B runs over, `over` if that is given; empty if it has none. Throws InputError for
/// --over of another.
std::string tunableOf(const std::string& over, const KernelFile& file) {
  if (over.empty()) { return figures::defaultTunable(file); }
  if (file.findTunable(over) != nullptr) { return over; }
  std::vector<std::string> known;
  for (const Tunable& tunable : file.tunables) { known.push_back(tunable.name); }
  throw InputError(trf("--over {}: {} has no such tunable; it has: {}", over, file.id,
                       known.empty() ? tr("none") : fmt::format("{}", fmt::join(known, ", "))));
}

class OpPerByteCommand final : public FigureCommand {
 public:
  void addOwn(CLI::App& command) override {
    command.add_option("--over", over_, tr("Tunable on the horizontal axis (default: the first tile size)"));
  }
  void print(const Catalogue& catalogue) const override {
    const ChosenKernel chosen = chosenKernel(catalogue, kernel_.id, kernel_.kernel);
    const auto file = std::make_shared<const KernelFile>(chosen.file);
    const std::string tunable = tunableOf(over_, *file);
    if (tunable.empty() && gpu_.given()) {
      throw InputError(trf("{} has no tile size, block width or radius to vary, so no GPU's limits apply", file->id));
    }
    OpPerByteCurve curve = figures::planOpPerByte(file, file->bind(chosen.bindings), tunable);
    const figures::CodeTarget target = gpu_.codeTarget();
    figures::findWalls(curve, target.name, figures::computeCapability(target));
    for (OpPerBytePoint& point : curve.points) { figures::execute(*file, point); }
    std::vector<VariantReuse> variants;
    for (const KernelFile* variant : figures::variantsWithTaps(catalogue)) {
      variants.push_back(figures::variantReuse(*variant));
    }
    if (kernel_.json) {
      printJson(toJson(curve, variants));
    } else {
      printCurve(curve, variants);
    }
  }
  void prepare(FigurePicture& of) const override { of.state.figures.opPerByte.tunable = tunableOf(over_, of.file); }

 private:
  std::string over_;  ///< a tunable; empty: the first of a tile
};

/// Fills the curve of the OP/B explorer, value by value, then the table of the catalogue's variants.
class OpPerByteWork final : public FigureWork {
 public:
  explicit OpPerByteWork(work::Pool& pool);
  void update(AppState& state) override;
  [[nodiscard]] bool busy() const override { return task_.busy(); }

 private:
  void finish() override { task_.finish(); }
  /// One thing to do: the curve's walls, one of its values, or one variant.
  struct Job {
    enum class Kind : std::uint8_t { Walls, Value, Variant };
    Kind kind = Kind::Walls;
    std::uint64_t curve = 0;  ///< its number: jobs of an older one are dropped
    std::size_t index = 0;
    std::shared_ptr<const KernelFile> file;
    std::shared_ptr<const figures::OpPerByteCurve> walls;  ///< of Kind::Walls: without walls yet
    figures::OpPerBytePoint point;
    std::string gpu, computeCapability;

    bool operator==(const Job& other) const {
      return kind == other.kind && curve == other.curve && index == other.index;
    }
  };
  struct Done {
    Job job;
    figures::OpPerByteCurve curve;
    figures::VariantReuse variant;
  };
  /// What a curve depends on.
  struct Asked {
    std::string kernel, text, tunable;
    Bindings others;  ///< all bindings but the tunable
    std::string gpu;
    bool operator==(const Asked&) const = default;
  };

  static Done make(const Job& job, const std::stop_token& stop);
  void plan(AppState& state);
  void receive(AppState& state, Done done);
  void requestNext(const AppState& state);

  work::Worker<Job, Done> task_;
  std::optional<Asked> asked_;
  std::uint64_t number_ = 0;                  ///< of the curve
  std::map<std::string, std::string> texts_;  ///< of the variants that were executed, by id
  bool walls_ = false;                        ///< they are found
};

OpPerByteWork::OpPerByteWork(work::Pool& pool) : task_(pool, {work::Priority::Background, work::Cores::One}, make) {}

OpPerByteWork::Done OpPerByteWork::make(const Job& job, const std::stop_token& stop) {
  Done done{job, {}, {}};
  switch (job.kind) {
    case Job::Kind::Walls:
      done.curve = *job.walls;
      figures::findWalls(done.curve, job.gpu, job.computeCapability);
      break;
    case Job::Kind::Value:
      figures::execute(*job.file, done.job.point, stop);
      break;
    case Job::Kind::Variant:
      done.variant = figures::variantReuse(*job.file, stop);
      break;
  }
  return done;
}

void OpPerByteWork::plan(AppState& state) {
  const experiment::Experiment& experiment = *state.experiment;
  OpPerByteFigure& figure = state.figures.opPerByte;
  const bool known = experiment.file.findTunable(figure.tunable) != nullptr;
  const std::string tunable = known ? figure.tunable : figures::defaultTunable(experiment.file);
  const measuring::GpuSpec* gpu = chosenGpu(state);
  Asked asked{experiment.file.id, experiment.file.text, tunable, experiment.bindings, gpu ? gpu->name : ""};
  asked.others.erase(tunable);
  if (asked_ == asked) {
    figure.curve.bindings = experiment.bindings;  // another value of the tunable: the curve is the same
    return;
  }
  asked_ = std::move(asked);
  figure.curve =
      figures::planOpPerByte(std::make_shared<const KernelFile>(experiment.file), experiment.bindings, tunable);
  ++number_;
  walls_ = tunable.empty();
}

void OpPerByteWork::receive(AppState& state, Done done) {
  OpPerByteFigure& figure = state.figures.opPerByte;
  if (done.job.kind == Job::Kind::Variant) {
    if (done.job.index == figure.variants.size()) {
      texts_[done.job.file->id] = done.job.file->text;
      figure.variants.push_back(std::move(done.variant));
      figure.rows = figures::reuseRows(figure.variants);
    }
    return;
  }
  if (done.job.curve != number_) { return; }
  if (done.job.kind == Job::Kind::Walls) {
    figure.curve.walls = std::move(done.curve.walls);
    figure.curve.line = std::move(done.curve.line);
    figure.curve.highest = done.curve.highest;
    walls_ = true;
  } else {
    figures::putBack(figure.curve, done.job.index, std::move(done.job.point));
  }
}

void OpPerByteWork::requestNext(const AppState& state) {
  const OpPerByteFigure& figure = state.figures.opPerByte;
  const std::optional<std::size_t> next = figure.curve.next();
  Job job;
  job.curve = number_;
  job.file = figure.curve.file;
  const bool chosenDone = !next || figure.curve.points[*next].value != figure.curve.bindings.at(figure.curve.tunable);
  if (!walls_ && chosenDone) {
    const measuring::GpuSpec* gpu = chosenGpu(state);
    job.kind = Job::Kind::Walls;
    job.walls = std::make_shared<const figures::OpPerByteCurve>(figure.curve);
    if (gpu != nullptr) {
      job.gpu = gpu->name;
      job.computeCapability = gpu->computeCapability;
    }
  } else if (next) {
    job.kind = Job::Kind::Value;
    job.index = *next;
    job.point = figure.curve.points[*next];
  } else {
    const auto variants = figures::variantsWithTaps(state.catalogue);
    if (figure.variants.size() >= variants.size()) { return; }
    job.kind = Job::Kind::Variant;
    job.curve = 0;
    job.index = figure.variants.size();
    job.file = std::make_shared<const KernelFile>(*variants[job.index]);
  }
  task_.follow(job);
}

void OpPerByteWork::update(AppState& state) {
  if (auto done = task_.poll()) { receive(state, *std::move(done)); }
  if (!state.figures.shows("opb") || state.experiment == nullptr) { return; }
  state.figures.opPerByte.allVariants = figures::variantsWithTaps(state.catalogue).size();
  const auto executed = texts_.find(state.experiment->file.id);
  if (executed != texts_.end() && executed->second != state.experiment->file.text) {
    texts_.clear();
    state.figures.opPerByte.variants.clear();
    state.figures.opPerByte.rows.clear();
  }
  if (state.figures.opPerByte.rows.empty()) { state.figures.opPerByte.rows = figures::reuseRows({}); }
  const std::uint64_t before = number_;
  plan(state);
  // While a job of this curve runs it is not replaced by another.
  if (before != number_ || !task_.busy()) { requestNext(state); }
}

}  // namespace

extern const Figure kOpPerByteFigure{
    trMark("Operations per byte over a tile size or radius, by formula and executed, with their bounds"),
    newCommand<OpPerByteCommand>, newWork<OpPerByteWork>, true};

}  // namespace haloscope
