#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "actions/ClimbRows.h"
#include "commands/Command.h"
#include "commands/StartingState.h"
#include "experiment/Experiment.h"
#include "language/Text.h"
#include "live/LiveClimb.h"
#include "options/KernelArguments.h"
#include "options/KernelOptions.h"
#include "text/Print.h"
#include "work/Pool.h"

/// `haloscope climb`: the window's tab as a table.
namespace haloscope {
namespace {

using Json = nlohmann::ordered_json;

/// Those that need no GPU: why warps wait is known in the window alone.
constexpr auto kExecuted = static_cast<std::size_t>(ClimbCounter::Stalls);

struct ClimbOptions {
  std::string id;  ///< a variant, or the path of a .cu file
  KernelOptions kernel;
  bool json = false;
};

const ClimbNumber& numberOf(const ClimbRow& row, ClimbCounter counter) {
  return row.numbers.at(static_cast<std::size_t>(counter));
}

Json toJson(const ClimbRows& rows, const ClimbRow& row) {
  const auto value = [&](ClimbCounter counter) -> Json {
    const std::optional<double>& known = numberOf(row, counter).value;
    return known ? Json(*known) : Json(nullptr);
  };
  return {{"id", row.id},
          {"title", row.title},
          {"idea", row.own ? Json(nullptr) : Json(row.idea)},
          {"own", row.own},
          {"below", row.below ? Json(rows.rows[*row.below].id) : Json(nullptr)},
          {"bindings", row.bindings},
          {"fraction_of_copy", row.bar ? Json(row.bar->fraction) : Json(nullptr)},
          {"recorded_on", row.bar ? Json(row.bar->gpu) : Json(nullptr)},
          {"recorded_with", row.bar ? Json(row.bar->of) : Json(nullptr)},
          {"recorded_tile", row.bar && !row.bar->tile.empty() ? Json(row.bar->tile) : Json(nullptr)},
          {"sectors_per_point", value(ClimbCounter::Sectors)},
          {"l1_bytes_per_point", value(ClimbCounter::GlobalBytes)},
          {"shared_bytes_per_point", value(ClimbCounter::SharedBytes)},
          {"least_dram_bytes_per_point", value(ClimbCounter::DramBytes)},
          {"registers_per_thread", value(ClimbCounter::Registers)},
          {"occupancy", value(ClimbCounter::Occupancy)},
          {"moved_most", row.moved ? Json(name(*row.moved)) : Json(nullptr)},
          {"accesses", row.shape},
          {"problem", row.problem.empty() ? Json(nullptr) : Json(row.problem)}};
}

void printRows(const ClimbRows& rows) {
  printText("{}; {}\n", tr(rows.name),
            rows.recordedOn.empty() ? tr("no rung was recorded")
                                    : trf("of copy: as recorded on the {}, {}", rows.recordedOn, rows.kind));
  printText("{:<34}{:>8}", tr("rung"), tr("of copy"));
  for (std::size_t i = 0; i < kExecuted; ++i) { printText("{:>10}", name(static_cast<ClimbCounter>(i))); }
  trPrint("  moved most\n");
  for (const ClimbRow& row : rows.rows) {
    printText("{:<34}{:>8}", fmt::format("{:{}}{}", "", row.column, row.name),
              row.bar ? fmt::format("{:.2f}", row.bar->fraction) : "-");
    for (std::size_t i = 0; i < kExecuted; ++i) {
      printText("{:>10}", row.numbers[i].value ? row.numbers[i].text : "-");
    }
    printText("  {}\n", !row.problem.empty() ? row.problem : row.moved ? name(*row.moved) : "");
  }
  if (!rows.ownText.empty()) { printText("{}\n", rows.ownText); }
}

ExitCode climb(const CommandContext& context, const ClimbOptions& options) {
  const ChosenKernel chosen = chosenKernel(context.catalogue, options.id, options.kernel);
  AppState state;
  addResources(state, context.catalogue);
  state.choice.kernel = chosen.file.id;
  if (chosen.file.isOpened()) {
    state.catalogue.put(chosen.file);
    experiment::RunOptions run;
    const experiment::Choice choice{chosen.file.id, chosen.bindings, std::nullopt};
    state.experiment = experiment::run(chosen.file, choice, run);
    experiment::throwIfFaulty(chosen.file, state.experiment->fault);
  }
  state.view.tabs.bringToFront(Tab::Climb);
  work::Pool pool;
  LiveClimb(pool).settle(state);
  const ClimbRows rows = climbRows(state);
  if (rows.rows.empty()) { throw InputError(rows.missing); }
  if (!options.json) {
    printRows(rows);
    return ExitCode::Good;
  }
  Json rungs = Json::array();
  for (const ClimbRow& row : rows.rows) { rungs.push_back(toJson(rows, row)); }
  const Json document = {{"climb", rows.name},
                         {"compiled_for", state.climb.target.name},
                         {"rungs", std::move(rungs)},
                         {"own", rows.ownText.empty() ? Json(nullptr) : Json(rows.ownText)}};
  printJson(document);
  return ExitCode::Good;
}

CommandRun addClimb(CLI::App& command) {
  const auto options = std::make_shared<ClimbOptions>();
  addTarget(command, options->id);
  addKernel(command, options->kernel);
  addJson(command, options->json);
  return [options](const CommandContext& context) { return climb(context, *options); };
}

}  // namespace

extern const Command climbCommand{
    "climb", trMark("Execute the climb that a variant or your own kernel is part of: what each rung moved"), addClimb};

}  // namespace haloscope
