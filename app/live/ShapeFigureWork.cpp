#include "live/ShapeFigureWork.h"

#include <optional>
#include <utility>

#include "figures/ProblemText.h"
#include "figures/StencilShape.h"
#include "state/AppState.h"

namespace haloscope {

namespace {

FoundShape found(const std::shared_ptr<const experiment::Experiment>& experiment, const std::stop_token& stop) {
  FoundShape found{experiment, nullptr, {}};
  try {
    found.shape = std::make_shared<const figures::StencilShape>(figures::stencilShape(*experiment, stop));
  } catch (const SourceError& error) {
    found.problem = figures::problemText(experiment->file, error);
  } catch (const InputError& error) { found.problem = figures::problemText(experiment->file, error); }
  return found;
}

}  // namespace

ShapeFigureWork::ShapeFigureWork() : task_(found) {}

void ShapeFigureWork::request(const AppState& state) {
  const bool shown = state.figures.shows("shape") || state.figures.shows("layout");
  if (shown && state.experiment != nullptr && state.experiment->recording != nullptr) {
    task_.request(state.experiment);
  }
}

void ShapeFigureWork::update(AppState& state) {
  request(state);
  if (auto found = task_.poll()) { state.figures.shape = std::move(*found); }
}

void ShapeFigureWork::settle(AppState& state) {
  request(state);
  if (auto found = task_.wait()) { state.figures.shape = std::move(*found); }
}

}  // namespace haloscope
