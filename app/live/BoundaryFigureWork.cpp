#include "live/BoundaryFigureWork.h"

#include <optional>
#include <utility>

#include "figures/BlockBoundary.h"
#include "figures/ProblemText.h"
#include "state/AppState.h"

namespace haloscope {

namespace {

BoundaryFigureWork::Found foundOf(const std::shared_ptr<const experiment::Experiment>& experiment,
                                  const std::stop_token& stop) {
  BoundaryFigureWork::Found found{experiment, nullptr, {}};
  try {
    found.boundary = std::make_shared<const figures::BlockBoundary>(figures::blockBoundary(*experiment, stop));
  } catch (const SourceError& error) {
    found.problem = figures::problemText(experiment->file, error);
  } catch (const InputError& error) { found.problem = figures::problemText(experiment->file, error); }
  return found;
}

}  // namespace

BoundaryFigureWork::BoundaryFigureWork() : task_(foundOf) {}

void BoundaryFigureWork::request(const AppState& state) {
  if (state.figures.shows("boundary") && state.experiment != nullptr && state.experiment->recording != nullptr) {
    task_.request(state.experiment);
  }
}

void BoundaryFigureWork::take(AppState& state, std::optional<Found> found) {
  if (!found) { return; }
  BoundaryFigure& figure = state.figures.boundary;
  // The plane that a picture begins with was wanted before anything was found.
  if (figure.experiment != nullptr && figure.experiment != found->experiment) { figure.plane.reset(); }
  figure.experiment = std::move(found->experiment);
  figure.found = std::move(found->boundary);
  figure.problem = std::move(found->problem);
}

void BoundaryFigureWork::update(AppState& state) {
  request(state);
  take(state, task_.poll());
}

void BoundaryFigureWork::settle(AppState& state) {
  request(state);
  take(state, task_.wait());
}

}  // namespace haloscope
