#include <fmt/format.h>

#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <utility>

#include "book/Figure.h"
#include "book/FigureCommand.h"
#include "book/FigureTask.h"
#include "figures/ConstantUse.h"
#include "language/Text.h"
#include "program/NumberText.h"
#include "state/AppState.h"
#include "text/Print.h"

/// What lies in constant memory, and what reading it costs.
namespace haloscope {
namespace {

using Json = nlohmann::ordered_json;
using figures::ConstantUse;

Json toJson(const experiment::Experiment& experiment, const ConstantUse& use) {
  Json arrays = Json::array();
  for (const figures::ConstantArray& array : use.arrays) {
    arrays.push_back({{"name", array.name},
                      {"elements", array.elements},
                      {"bytes", array.bytes},
                      {"loads_by_threads", array.loads},
                      {"initialised_by_the_text", array.initialised},
                      {"copied_on_line", array.copyLine > 0 ? Json(array.copyLine) : Json(nullptr)}});
  }
  Json lines = Json::array();
  for (const figures::ConstantLine& line : use.lines) {
    lines.push_back({{"line", line.line}, {"warp_accesses", line.requests}, {"passes", line.passes}});
  }
  Json json = {{"kernel", experiment.file.id},  {"constant_bytes", figures::kConstantBytes},
               {"used_bytes", use.bytes},       {"arrays", std::move(arrays)},
               {"warp_accesses", use.requests}, {"passes", use.passes},
               {"lines", std::move(lines)},     {"global_weights", nullptr}};
  if (use.weights) {
    json["global_weights"] = {{"name", use.weights->name},
                              {"bytes", use.weights->bytes},
                              {"load_bytes", use.weights->loadBytes},
                              {"all_global_load_bytes", use.weights->allLoadBytes}};
  }
  return json;
}

void printUse(const experiment::Experiment& experiment, const ConstantUse& use) {
  if (use.arrays.empty()) {
    trPrint("{} uses no constant memory.\n", experiment.file.id);
  } else {
    trPrint("{}: {} of {} bytes of constant memory\n", experiment.file.id,
            grouped(static_cast<std::uint64_t>(use.bytes)),
            grouped(static_cast<std::uint64_t>(figures::kConstantBytes)));
  }
  for (const figures::ConstantArray& array : use.arrays) {
    trPrint("  {:<20}{:>8} elements{:>8} bytes{:>16} loads{}\n", array.name, array.elements, array.bytes,
            grouped(array.loads), array.copyLine > 0 ? trf(", copied on line {}", array.copyLine) : "");
  }
  if (use.requests > 0) {
    trPrint("{} warp accesses in {} passes, {:.3f} each\n", grouped(use.requests), grouped(use.passes),
            use.passesPerRequest());
  }
  for (const figures::ConstantLine& line : use.lines) {
    trPrint("  line {:<4}{:>14} accesses{:>14} passes\n", line.line, grouped(line.requests), grouped(line.passes));
  }
  if (use.weights) {
    trPrint("{} is read from global memory: {} of the {} bytes loaded from it\n", use.weights->name,
            grouped(use.weights->loadBytes), grouped(use.weights->allLoadBytes));
  }
}

class ConstantCommand final : public FigureCommand {
 public:
  void print(const Catalogue& catalogue) const override {
    const auto experiment = kernel_.run(catalogue, true);
    experiment::throwIfFaulty(experiment->file, experiment->fault);
    const ConstantUse use = figures::constantUse(*experiment);
    if (kernel_.json) {
      printJson(toJson(*experiment, use));
    } else {
      printUse(*experiment, use);
    }
  }
};

ConstantFigure findUse(const std::shared_ptr<const experiment::Experiment>& experiment, const std::stop_token&) {
  ConstantFigure figure{experiment, nullptr, {}};
  try {
    figure.use = std::make_shared<const ConstantUse>(figures::constantUse(*experiment));
  } catch (const std::exception& problem) { figure.problem = problem.what(); }
  return figure;
}

std::unique_ptr<FigureWork> constantWork(work::Pool& pool) {
  using Task = FigureTask<std::shared_ptr<const experiment::Experiment>, ConstantFigure>;
  return std::make_unique<Task>(
      pool,
      [](const AppState& state) -> Task::Wanted {
        if (!state.figures.shows("constant") || state.experiment == nullptr) { return {}; }
        return state.experiment;
      },
      findUse, [](AppState& state, ConstantFigure figure) { state.figures.constant = std::move(figure); });
}

}  // namespace

extern const Figure kConstantFigure{trMark("The contents of constant memory, and the passes that reading it takes"),
                                    newCommand<ConstantCommand>, constantWork};

}  // namespace haloscope
