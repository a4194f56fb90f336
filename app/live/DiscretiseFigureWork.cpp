#include "live/DiscretiseFigureWork.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "program/SourceLocation.h"
#include "state/AppState.h"

namespace haloscope {

namespace {

/// The kernels that offer the type, compiled.
std::vector<figures::DerivativeKernel> kernelsIn(ValueType type, const std::vector<KernelFile>& files) {
  std::vector<figures::DerivativeKernel> kernels;
  for (const KernelFile& file : files) {
    if (file.precision->offers(Precision::valueOf(type))) { kernels.emplace_back(file, type); }
  }
  return kernels;
}

}  // namespace

DiscretiseFigureWork::DiscretiseFigureWork()
    : samples_([](const Request& request, const std::stop_token& stop) {
        return figures::sampleSine(request.points, request.type, kernelsIn(request.type, *request.files), stop);
      }) {
  constexpr std::array kTypes = {ValueType::F16, ValueType::F32, ValueType::F64};
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    errors_.at(i).type = kTypes.at(i);
    errors_.at(i).task = std::make_unique<ErrorTask>([](const Request& request, const std::stop_token& stop) {
      Curves curves;
      for (const figures::DerivativeKernel& kernel : kernelsIn(request.type, *request.files)) {
        curves.push_back(figures::measureErrors(kernel, stop));
      }
      return curves;
    });
  }
}

void DiscretiseFigureWork::readKernels(AppState& state) {
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
      files_->empty() ? "No kernel of the catalogue says in its header that it is a first derivative." : "";
}

void DiscretiseFigureWork::followPrecision(AppState& state) {
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

void DiscretiseFigureWork::ask(AppState& state) {
  if (!state.figures.shows("discretise")) { return; }
  readKernels(state);
  followPrecision(state);
  if (files_->empty()) { return; }
  DiscretiseFigure& figure = state.figures.discretise;
  figure.points = std::clamp<std::int64_t>(figure.points, figures::kFewestSamples, figures::kMostSamples);
  samples_.request({files_, figure.type, static_cast<int>(figure.points)});
  for (OfType& one : errors_) { one.task->request({files_, one.type, 0}); }
}

void DiscretiseFigureWork::take(AppState& state, bool wait) {
  DiscretiseFigure& figure = state.figures.discretise;
  const auto resultOf = [&](auto& task) -> decltype(task.poll()) {
    try {
      return wait ? task.wait() : task.poll();
    } catch (const SourceError& error) { figure.problem = error.what(); } catch (const InputError& error) {
      figure.problem = error.what();
    }
    return {};
  };
  if (auto samples = resultOf(samples_)) {
    figure.samples = std::make_shared<const figures::SineSamples>(*std::move(samples));
  }
  for (OfType& one : errors_) {
    auto curves = resultOf(*one.task);
    if (!curves) { continue; }
    one.curves = *std::move(curves);
    show(state);
  }
  figure.measuring = std::ranges::any_of(errors_, [](const OfType& one) { return one.task->busy(); });
}

void DiscretiseFigureWork::show(AppState& state) const {
  Curves all;
  for (const OfType& one : errors_) { all.insert(all.end(), one.curves.begin(), one.curves.end()); }
  state.figures.discretise.errors = std::make_shared<const Curves>(std::move(all));
}

void DiscretiseFigureWork::update(AppState& state) {
  take(state, false);
  ask(state);
}

void DiscretiseFigureWork::settle(AppState& state) {
  ask(state);
  if (state.figures.shows("discretise")) { take(state, true); }
}

bool DiscretiseFigureWork::busy() const {
  return samples_.busy() || std::ranges::any_of(errors_, [](const OfType& one) { return one.task->busy(); });
}

}  // namespace haloscope
