#include "live/ConstantFigureWork.h"

#include <exception>
#include <stop_token>
#include <utility>

#include "figures/ConstantUse.h"
#include "state/AppState.h"

namespace haloscope {

ConstantFigureWork::ConstantFigureWork()
    : task_([](const Wanted& experiment, const std::stop_token&) {
        ConstantFigure figure{experiment, nullptr, {}};
        try {
          figure.use = std::make_shared<const figures::ConstantUse>(figures::constantUse(*experiment));
        } catch (const std::exception& problem) { figure.problem = problem.what(); }
        return figure;
      }) {}

void ConstantFigureWork::request(const AppState& state) {
  if (state.figures.shows("constant") && state.experiment != nullptr) { task_.request(state.experiment); }
}

void ConstantFigureWork::update(AppState& state) {
  request(state);
  if (auto found = task_.poll()) { state.figures.constant = *std::move(found); }
}

void ConstantFigureWork::settle(AppState& state) {
  request(state);
  if (auto found = task_.wait()) { state.figures.constant = *std::move(found); }
}

}  // namespace haloscope
