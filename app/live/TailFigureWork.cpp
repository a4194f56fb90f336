#include "live/TailFigureWork.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "state/AppState.h"
#include "state/ChosenGpu.h"

namespace haloscope {

namespace {

constexpr const char* kTail = "tail";
constexpr std::int64_t kFlatPage = 300, kSolidPage = 60;  ///< half of the sizes that the curve shows

/// The sizes that belong to the page with this one: a curve that stands still while the size moves a little.
std::pair<std::int64_t, std::int64_t> pageOf(const KernelFile& file, const SizeParameter& size, std::int64_t value) {
  const bool solid = !file.arrays.empty() && file.arrays.front().shape.size() >= 3;
  const std::int64_t half = solid ? kSolidPage : kFlatPage;
  const std::int64_t first = std::max<std::int64_t>(0, value / half - 1) * half;
  return {std::max(size.minimum, first), std::min(size.maximum, first + 2 * half)};
}

}  // namespace

TailFigureWork::TailFigureWork()
    : count_([](const CountRequest& request, const std::stop_token& stop) {
        auto tail =
            std::make_shared<const figures::LaunchTail>(figures::countTail(*request.file, request.bindings, stop));
        auto cells = std::make_shared<const figures::TailCells>(figures::tailCells(*tail));
        return Count{std::move(tail), std::move(cells)};
      }),
      // The task's work is copied for every request; the reporter is one for all.
      curve_([reporter = std::make_shared<std::optional<figures::CodeReporter>>()](const CurveRequest& request,
                                                                                   const std::stop_token& stop) {
        Curve made{std::make_shared<const figures::TailCurve>(figures::tailCurve(
                       *request.file, request.bindings, request.size, request.lowest, request.highest, stop)),
                   {}};
        if (!*reporter) { reporter->emplace(); }
        made.code.bindings = request.bindings;
        if (request.target.capability > 0) { (*reporter)->report(*request.file, made.code, request.target); }
        return made;
      }) {}

void TailFigureWork::receive(AppState& state, Count count) {
  state.figures.tail.tail = std::move(count.tail);
  state.figures.tail.cells = std::move(count.cells);
  state.figures.tail.counting = false;
}

void TailFigureWork::receive(AppState& state, Curve curve) {
  state.figures.tail.curve = std::move(curve.curve);
  state.figures.tail.code = std::move(curve.code);
}

void TailFigureWork::update(AppState& state) {
  if (auto count = count_.poll()) { receive(state, *std::move(count)); }
  if (auto curve = curve_.poll()) { receive(state, *std::move(curve)); }
  if (!state.figures.shows(kTail) || state.experiment == nullptr) { return; }
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
  count_.request({file_, figure.sizes});
  figure.counting = count_.busy();
  if (const SizeParameter* size = file_->findSize(figure.size)) {
    const auto [lowest, highest] = pageOf(*file_, *size, figure.sizes.at(figure.size));
    // Along the curve the sizes that run with it begin where it begins.
    const Bindings from = figures::withSize(*file_, figure.sizes, figure.size, lowest);
    const measuring::GpuSpec* gpu = chosenGpu(state);
    const figures::CodeTarget target = gpu == nullptr ? figures::CodeTarget{} : codeTarget(*gpu);
    if (figure.target != target) { figure.code = {}; }  // until it is known for this one
    figure.target = target;
    curve_.request({file_, from, figure.size, lowest, highest, figure.target});
  }
}

void TailFigureWork::settle(AppState& state) {
  update(state);
  if (auto count = count_.wait()) { receive(state, *std::move(count)); }
  if (auto curve = curve_.wait()) { receive(state, *std::move(curve)); }
}

}  // namespace haloscope
