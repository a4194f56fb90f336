#include "live/LayoutFigureWork.h"

#include <exception>
#include <stop_token>
#include <string>
#include <utility>

#include "figures/WarpLayout.h"
#include "state/AppState.h"

namespace haloscope {

LayoutFigureWork::LayoutFigureWork()
    : task_([](const Request& request, const std::stop_token&) {
        const FoundShape& found = request.found;
        figures::WarpLayout layout;
        try {
          layout = figures::warpLayout(*found.experiment, *found.shape, request.warp);
        } catch (const std::exception& problem) {
          layout.reason = std::string("What the warp loads could not be found: ") + problem.what();
        }
        return Found{request, std::make_shared<const figures::WarpLayout>(std::move(layout))};
      }) {}

void LayoutFigureWork::request(const AppState& state) {
  const FoundShape& found = state.figures.shape;
  if (!state.figures.shows("layout") || !state.figures.layout.ofWarp || found.shape == nullptr) { return; }
  task_.request({found, state.selection.thread / kWarpSize});
}

void LayoutFigureWork::take(AppState& state, std::optional<Found> found) {
  if (!found) { return; }
  LayoutFigure& figure = state.figures.layout;
  figure.experiment = std::move(found->request.found.experiment);
  figure.warpIndex = found->request.warp;
  figure.warp = std::move(found->warp);
}

void LayoutFigureWork::update(AppState& state) {
  request(state);
  take(state, task_.poll());
}

void LayoutFigureWork::settle(AppState& state) {
  request(state);
  take(state, task_.wait());
}

}  // namespace haloscope
