#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <utility>

#include "book/Figure.h"
#include "book/FigureCommand.h"
#include "book/FigureTask.h"
#include "figures/ProblemText.h"
#include "figures/StencilShape.h"
#include "language/Text.h"
#include "state/AppState.h"
#include "text/Print.h"

/// The points of a kernel's stencil or filter.
namespace haloscope {
namespace {

using Json = nlohmann::ordered_json;
using figures::OtherPoint;
using figures::ShapePoint;
using figures::StencilShape;

Json offsetJson(const recording::GridPoint& offset, std::size_t rank) {
  Json json = Json::array();
  if (rank > 2) { json.push_back(offset.z); }
  if (rank > 1) { json.push_back(offset.y); }
  json.push_back(offset.x);
  return json;
}

Json sideJson(const std::array<int, 3>& side, std::size_t rank) {
  return offsetJson({side[0], side[1], side[2]}, rank);
}

Json toJson(const experiment::Experiment& experiment, const StencilShape& shape) {
  Json json = {{"kernel", experiment.file.id},
               {"title", title(shape)},
               {"stencil", shape.computed ? Json(shape.reason.empty()) : Json(nullptr)}};
  if (!shape.reason.empty()) {
    json["reason"] = shape.reason;
    return json;
  }
  const std::size_t rank = shape.rank();
  Json points = Json::array();
  for (const ShapePoint& point : shape.points) {
    points.push_back({{"offset", offsetJson(point.offset, rank)},
                      {"coefficient", point.coefficient.empty() ? Json(nullptr) : Json(point.coefficient)},
                      {"weight", shape.linear ? Json(point.weight) : Json(nullptr)}});
  }
  Json others = Json::array();
  for (const OtherPoint& point : shape.others) {
    others.push_back({{"array", point.array},
                      {"offset", offsetJson(point.offset, rank)},
                      {"coefficient", point.coefficient.empty() ? Json(nullptr) : Json(point.coefficient)},
                      {"weight", shape.linear ? Json(point.weight) : Json(nullptr)}});
  }
  Json traced = Json::array();
  for (const std::int64_t element : shape.traced) { traced.push_back(element); }
  json["rank"] = rank;
  json["input"] = shape.input;
  json["output"] = shape.output;
  json["order"] = shape.order();
  json["before"] = sideJson(shape.before, rank);
  json["after"] = sideJson(shape.after, rank);
  json["form"] = figures::name(shape.form);
  json["filter"] = shape.filter.empty() ? Json(nullptr) : Json(shape.filter);
  json["points"] = std::move(points);
  json["other_arrays"] = std::move(others);
  json["weighted_sum"] = shape.linear;
  json["coefficients_not_zero"] = shape.linear ? Json(shape.points.size() - shape.zeros()) : Json(nullptr);
  json["coefficients_vary"] = shape.weightsVary;
  json["complete"] = shape.complete;
  json["outputs_followed"] = std::move(traced);
  json["outputs_inside"] = shape.inside;
  return json;
}

void printShape(const StencilShape& shape) {
  printText("{}\n", title(shape));
  if (!shape.reason.empty()) {
    printText("{}\n", shape.reason);
    return;
  }
  for (const std::string& note : figures::notes(shape)) { printText("{}\n", note); }
  const auto line = [&](const std::string& array, const recording::GridPoint& offset, const std::string& coefficient,
                        double weight) {
    const std::string point = figures::pointName(array, shape.rank(), offset);
    if (shape.linear) {
      printText("  {:<24} {:<16} {:.6g}\n", point, coefficient, weight);
    } else {
      printText("  {}\n", point);
    }
  };
  for (const ShapePoint& point : shape.points) { line(shape.input, point.offset, point.coefficient, point.weight); }
  for (const OtherPoint& point : shape.others) { line(point.array, point.offset, point.coefficient, point.weight); }
}

class ShapeCommand final : public FigureCommand {
 public:
  void addTo(CLI::App& command) override {
    kernel_.addTo(command);
    kernel_.addDataTo(command);
  }
  void print(const Catalogue& catalogue) const override {
    const auto experiment = kernel_.run(catalogue);
    const StencilShape shape = figures::stencilShape(*experiment);
    if (kernel_.json) {
      printJson(toJson(*experiment, shape));
    } else {
      printShape(shape);
    }
  }
};

FoundShape findShape(const std::shared_ptr<const experiment::Experiment>& experiment, const std::stop_token& stop) {
  FoundShape found{experiment, nullptr, {}};
  try {
    found.shape = std::make_shared<const figures::StencilShape>(figures::stencilShape(*experiment, stop));
  } catch (const UserError& error) { found.problem = figures::problemText(experiment->file, error); }
  return found;
}

std::unique_ptr<FigureWork> shapeWork(work::Pool& pool) {
  using Task = FigureTask<std::shared_ptr<const experiment::Experiment>, FoundShape>;
  return std::make_unique<Task>(
      pool,
      [](const AppState& state) -> Task::Wanted {
        const bool shown = state.figures.shows("shape") || state.figures.shows("layout");
        if (!shown || state.experiment == nullptr || state.experiment->recording == nullptr) { return {}; }
        return state.experiment;
      },
      findShape, [](AppState& state, FoundShape shape) { state.figures.shape = std::move(shape); });
}

}  // namespace

extern const Figure kShapeFigure{trMark("The points that one output needs, with their coefficients, from the accesses"),
                                 newCommand<ShapeCommand>, shapeWork};

}  // namespace haloscope
