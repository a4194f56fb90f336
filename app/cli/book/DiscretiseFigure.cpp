#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "book/Figure.h"
#include "book/FigureCommand.h"
#include "catalogue/Catalogue.h"
#include "catalogue/KernelFile.h"
#include "catalogue/Precision.h"
#include "figures/DerivativeErrors.h"
#include "figures/SineSamples.h"
#include "language/Text.h"
#include "options/KernelArguments.h"
#include "program/SourceLocation.h"
#include "state/AppState.h"
#include "text/Print.h"
#include "work/Worker.h"

/// A function known at some points, its derivative by finite differences, and their errors.
namespace haloscope {
namespace {

using Json = nlohmann::ordered_json;
using figures::DerivativeKernel;
using figures::ErrorCurve;
using figures::SineSamples;

Json toJson(const SineSamples& samples) {
  Json points = Json::array();
  for (std::size_t i = 0; i < samples.x.size(); ++i) {
    points.push_back({{"x", samples.x[i]}, {"sine", samples.values[i]}, {"cosine", std::cos(samples.x[i])}});
  }
  for (const figures::SampledSlopes& one : samples.slopes) {
    for (std::size_t i = 0; i < one.slopes.values.size(); ++i) {
      points[static_cast<std::size_t>(one.slopes.first) + i]["executed"][one.kernel] = one.slopes.values[i];
    }
  }
  return {{"type", realTypeName(samples.type)},
          {"spacing", samples.spacing},
          {"linear_error", samples.linearError},
          {"spline_error", samples.splineError},
          {"points", std::move(points)}};
}

Json toJson(const ErrorCurve& curve) {
  Json errors = Json::array();
  for (const figures::DerivativeError& one : curve.errors) {
    errors.push_back(
        {{"intervals", one.intervals}, {"spacing", one.spacing}, {"error", one.error}, {"fitted", one.fitted}});
  }
  return {{"kernel", curve.kernel},
          {"type", realTypeName(curve.type)},
          {"order", curve.order},
          {"measured_order", curve.measured ? Json(*curve.measured) : Json(nullptr)},
          {"fitted_points", curve.fittedPoints()},
          {"rounding_below_spacing", curve.errors.empty() ? Json(nullptr) : Json(curve.errors[curve.finest].spacing)},
          {"errors", std::move(errors)}};
}

/// Seven places; what rounds to zero has no sign.
std::string decimals(double value) {
  const std::string text = fmt::format("{:.7f}", value);
  return text == "-0.0000000" ? text.substr(1) : text;
}

void printSamples(const SineSamples& samples) {
  trPrint("the sine at {} points from 0 to pi, {:.6g} apart, derivatives in {}\n", samples.x.size(), samples.spacing,
          realTypeName(samples.type));
  trPrint("largest distance from the sine: {:.3g} linear, {:.3g} natural cubic spline\n", samples.linearError,
          samples.splineError);
  printText("{:>10}{:>12}{:>12}", "x", tr("sine"), tr("cosine"));
  for (const figures::SampledSlopes& one : samples.slopes) { printText("{:>12}", trf("{} points", one.points)); }
  trPrint("   (executed)\n");
  for (std::size_t i = 0; i < samples.x.size(); ++i) {
    printText("{:>10.5f}{:>12}{:>12}", samples.x[i], decimals(samples.values[i]), decimals(std::cos(samples.x[i])));
    for (const figures::SampledSlopes& one : samples.slopes) {
      const std::int64_t at = static_cast<std::int64_t>(i) - one.slopes.first;
      const bool has = at >= 0 && at < static_cast<std::int64_t>(one.slopes.values.size());
      printText("{:>12}", has ? decimals(one.slopes.values[static_cast<std::size_t>(at)]) : "-");
    }
    printText("\n");
  }
  for (const figures::SampledSlopes& one : samples.slopes) {
    if (one.slopes.values.empty()) {
      trPrint("{} points: no sample has all its neighbours\n", one.points);
      continue;
    }
    trPrint("{} points: largest error {:.2g} at {} of {} samples{}\n", one.points, one.largestError,
            one.slopes.values.size(), samples.x.size(),
            one.onlyMiddle ? tr(", the middle one, where the formula is exact by symmetry except for rounding") : "");
  }
}

void printCurves(const std::vector<ErrorCurve>& curves) {
  trPrint("\nlargest error over one period, executed on the emulator\n");
  printText("{:<32}{:<8}{:>6}{:>10}{:>8}   {:<22}{}\n", tr("kernel"), tr("type"), tr("order"), tr("measured"),
            tr("points"), tr("smallest error"), tr("at spacing"));
  for (const ErrorCurve& curve : curves) {
    printText("{:<32}{:<8}{:>6}{:>10}{:>8}   ", curve.kernel, realTypeName(curve.type), curve.order,
              curve.measured ? fmt::format("{:.3f}", *curve.measured) : "-", curve.fittedPoints());
    if (!curve.errors.empty()) {
      printText("{:<22.3g}{:.3g}", curve.errors[curve.finest].error, curve.errors[curve.finest].spacing);
    }
    printText("\n");
  }
  trPrint(
      "measured at spacings up to pi/6 where the error is above what rounding can contribute; -: fewer than {} "
      "such points\n",
      figures::kFewestFitted);
}

class DiscretiseCommand final : public FigureCommand {
 public:
  void addTo(CLI::App& command) override {
    addOwn(command);
    addJson(command, kernel_.json);
  }
  void addOwn(CLI::App& command) override {
    command.add_option("--points", points_, tr("Grid points of the sine, from 0 to pi"))
        ->check(CLI::Range(figures::kFewestSamples, figures::kMostSamples));
    command.add_option("--type", type_, tr("Type in which the derivatives are computed: half, float or double"))
        ->check(CLI::IsMember({"half", "float", "double"}));
  }
  void print(const Catalogue& catalogue) const override {
    std::vector<DerivativeKernel> kernels;
    for (const KernelFile* file : figures::derivativeFiles(catalogue)) {
      for (const ValueType type : file->precision->types) { kernels.emplace_back(*file, type); }
    }
    if (kernels.empty()) {
      throw InputError(tr("no kernel of the catalogue declares a first derivative in its header"));
    }
    const SineSamples samples = figures::sampleSine(points_, realTypeNamed(type_.value_or("double")), kernels);
    std::vector<ErrorCurve> curves;
    for (const DerivativeKernel& kernel : kernels) { curves.push_back(figures::measureErrors(kernel)); }
    if (kernel_.json) {
      Json list = Json::array();
      for (const ErrorCurve& curve : curves) { list.push_back(toJson(curve)); }
      printJson(Json{{"samples", toJson(samples)}, {"curves", std::move(list)}});
    } else {
      printSamples(samples);
      printCurves(curves);
    }
  }
  void prepare(FigurePicture& of) const override {
    DiscretiseFigure& figure = of.state.figures.discretise;
    figure.points = points_;
    if (type_) { figure.choose(realTypeNamed(*type_)); }
  }

 private:
  int points_ = figures::kBookSamples;
  std::optional<std::string> type_;  ///< none: double, or what the kernel on screen has
};

/// The kernels that offer the type, compiled.
std::vector<DerivativeKernel> kernelsIn(ValueType type, const std::vector<KernelFile>& files) {
  std::vector<DerivativeKernel> kernels;
  for (const KernelFile& file : files) {
    if (file.precision->offers(Precision::valueOf(type))) { kernels.emplace_back(file, type); }
  }
  return kernels;
}

/// Executes the catalogue's finite differences for the figure "discretise": on the samples that are chosen, and at ever
/// finer spacings in each type.
class DiscretiseWork final : public FigureWork {
 public:
  explicit DiscretiseWork(work::Pool& pool);
  void update(AppState& state) override;
  void settle(AppState& state) override;
  [[nodiscard]] bool busy() const override;

 private:
  using Files = std::vector<KernelFile>;
  struct Request {
    std::shared_ptr<const Files> files;
    ValueType type = ValueType::F64;
    int points = 0;  ///< of the samples; 0: for the errors
    bool operator==(const Request&) const = default;
  };
  using Curves = std::vector<ErrorCurve>;
  using ErrorTask = work::Worker<Request, Curves>;

  void ask(AppState& state);
  /// A type chosen in the toolbar is the figure's too, until another is chosen in the figure.
  void followPrecision(AppState& state);
  void readKernels(AppState& state);
  /// Puts what is ready into the state.
  void take(AppState& state);
  void show(AppState& state) const;
  void finish() override;

  std::optional<std::int64_t> precision_;  ///< of the experiment, when it was looked at last
  std::shared_ptr<const Files> files_;     ///< those that were asked about last
  work::Worker<Request, SineSamples> samples_;
  struct OfType {
    ValueType type;
    std::unique_ptr<ErrorTask> task;
    Curves curves;
  };
  std::array<OfType, 3> errors_;
};

DiscretiseWork::DiscretiseWork(work::Pool& pool)
    : samples_(pool, {work::Priority::Background, work::Cores::All},
               [](const Request& request, const std::stop_token& stop) {
                 return figures::sampleSine(request.points, request.type, kernelsIn(request.type, *request.files),
                                            stop);
               }) {
  constexpr std::array kTypes = {ValueType::F16, ValueType::F32, ValueType::F64};
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    errors_.at(i).type = kTypes.at(i);
    errors_.at(i).task =
        std::make_unique<ErrorTask>(pool, work::Demand{work::Priority::Background, work::Cores::One},
                                    [](const Request& request, const std::stop_token& stop) {
                                      Curves curves;
                                      for (const DerivativeKernel& kernel : kernelsIn(request.type, *request.files)) {
                                        curves.push_back(figures::measureErrors(kernel, stop));
                                      }
                                      return curves;
                                    });
  }
}

void DiscretiseWork::readKernels(AppState& state) {
  const std::vector<const KernelFile*> now = figures::derivativeFiles(state.catalogue);
  const bool same = files_ != nullptr && std::ranges::equal(now, *files_, [](const KernelFile* a, const KernelFile& b) {
                      return a->id == b.id && a->text == b.text;
                    });
  if (same) { return; }
  auto files = std::make_shared<Files>();
  for (const KernelFile* file : now) { files->push_back(*file); }
  files_ = std::move(files);
  for (OfType& one : errors_) { one.curves.clear(); }
  state.figures.discretise.samples.reset();
  state.figures.discretise.errors.reset();
  state.figures.discretise.problem =
      files_->empty() ? tr("No kernel of the catalogue declares a first derivative in its header.") : "";
}

void DiscretiseWork::followPrecision(AppState& state) {
  if (state.experiment == nullptr) { return; }
  const std::optional<Precision>& precision = state.experiment->file.precision;
  std::optional<std::int64_t> chosen;
  if (precision && state.experiment->file.firstDerivative) {
    const auto bound = state.experiment->bindings.find(precision->macro);
    chosen = bound == state.experiment->bindings.end() ? precision->defaultValue() : bound->second;
  }
  if (std::exchange(precision_, chosen) == chosen || !chosen) { return; }
  if (std::exchange(state.figures.discretise.chosen, false)) { return; }
  for (const ValueType type : precision->types) {
    if (Precision::valueOf(type) == *chosen) { state.figures.discretise.type = type; }
  }
}

void DiscretiseWork::ask(AppState& state) {
  if (!state.figures.shows("discretise")) { return; }
  readKernels(state);
  followPrecision(state);
  if (files_->empty()) { return; }
  DiscretiseFigure& figure = state.figures.discretise;
  figure.points = std::clamp<std::int64_t>(figure.points, figures::kFewestSamples, figures::kMostSamples);
  samples_.follow({files_, figure.type, static_cast<int>(figure.points)});
  for (OfType& one : errors_) { one.task->follow({files_, one.type, 0}); }
}

void DiscretiseWork::take(AppState& state) {
  DiscretiseFigure& figure = state.figures.discretise;
  const auto resultOf = [&](auto& task) -> decltype(task.poll()) {
    try {
      return task.poll();
    } catch (const UserError& error) { figure.problem = error.what(); }
    return {};
  };
  if (auto samples = resultOf(samples_)) { figure.samples = std::make_shared<const SineSamples>(*std::move(samples)); }
  for (OfType& one : errors_) {
    auto curves = resultOf(*one.task);
    if (!curves) { continue; }
    one.curves = *std::move(curves);
    show(state);
  }
  figure.measuring = std::ranges::any_of(errors_, [](const OfType& one) { return one.task->busy(); });
}

void DiscretiseWork::show(AppState& state) const {
  Curves all;
  for (const OfType& one : errors_) { all.insert(all.end(), one.curves.begin(), one.curves.end()); }
  state.figures.discretise.errors = std::make_shared<const Curves>(std::move(all));
}

void DiscretiseWork::update(AppState& state) {
  take(state);
  ask(state);
}

// Hidden, its errors would take seconds for nothing.
void DiscretiseWork::settle(AppState& state) {
  if (state.figures.shows("discretise")) { FigureWork::settle(state); }
}

void DiscretiseWork::finish() {
  samples_.finish();
  for (const OfType& one : errors_) { one.task->finish(); }
}

bool DiscretiseWork::busy() const {
  return samples_.busy() || std::ranges::any_of(errors_, [](const OfType& one) { return one.task->busy(); });
}

}  // namespace

extern const Figure kDiscretiseFigure{trMark("A sampled sine, its derivative by finite differences, and their errors"),
                                      newCommand<DiscretiseCommand>, newWork<DiscretiseWork>};

}  // namespace haloscope
