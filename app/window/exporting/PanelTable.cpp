#include "exporting/PanelTable.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "actions/ChosenGpu.h"
#include "actions/ExportActions.h"
#include "language/Text.h"
#include "measuring/PredictedTime.h"
#include "measuring/Roofline.h"
#include "program/SourceLocation.h"
#include "tables/BindingsJson.h"
#include "tables/CountJson.h"
#include "tables/TuningJson.h"
#include "text/Csv.h"
#include "text/JsonText.h"

namespace haloscope::exporting {

namespace {

using Json = nlohmann::ordered_json;

/// Names and values of what is nested, in order.
using Leaves = std::vector<std::pair<std::string, Json>>;

void addLeaves(const Json& value, const std::string& name, Leaves& leaves) {
  const auto below = [&](const std::string& part) { return name.empty() ? part : name + "." + part; };
  if (value.is_object()) {
    for (const auto& [part, inner] : value.items()) { addLeaves(inner, below(part), leaves); }
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) { addLeaves(value[i], below(std::to_string(i)), leaves); }
  } else {
    leaves.emplace_back(name, value);
  }
}

Leaves leavesOf(const Json& value) {
  Leaves leaves;
  addLeaves(value, "", leaves);
  return leaves;
}

std::string field(const Json& value) {
  if (value.is_null()) { return {}; }
  return value.is_string() ? csvField(value.get<std::string>()) : jsonText(value);
}

std::string rowsCsv(const Json& rows) {
  std::vector<std::string> columns;
  std::vector<Leaves> read;
  for (const Json& row : rows) {
    read.push_back(leavesOf(row));
    for (const auto& [name, value] : read.back()) {
      if (std::ranges::find(columns, name) == columns.end()) { columns.push_back(name); }
    }
  }
  std::string text;
  const auto end = [&](std::size_t column) { return column + 1 < columns.size() ? "," : "\r\n"; };
  for (std::size_t i = 0; i < columns.size(); ++i) { text += csvField(columns[i]) + end(i); }
  for (const Leaves& row : read) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto found = std::ranges::find(row, columns[i], &Leaves::value_type::first);
      text += (found == row.end() ? std::string() : field(found->second)) + end(i);
    }
  }
  return text;
}

/// The time of each sweep that was measured; and what the roofline of the chosen GPU predicts.
Json timingsJson(const AppState& state) {
  const experiment::Experiment& shown = *state.experiment;
  const FieldStatus& field = state.field;
  Json measured = nullptr;
  if (!field.ring.empty()) {
    Json sweeps = Json::array();
    for (const TimingSample& sample : field.ring) { sweeps.push_back(sample.milliseconds); }
    measured = {{"gpu", state.gpuName},
                {"median_ms", field.medianMs},
                {"p10_ms", field.p10Ms},
                {"p90_ms", field.p90Ms},
                {"sweeps_ms", std::move(sweeps)},
                {"sm_clock_mhz", field.clockMHz},
                {"power_watts", field.powerWatts},
                {"effective_gb_per_s", field.effectiveGBs},
                {"copy_gb_per_s", field.copyGBs},
                {"disturbed", field.disturbance}};
  }
  Json predicted = nullptr;
  if (const measuring::GpuSpec* gpu = chosenGpu(state)) {
    const measuring::PredictedTime time = measuring::predictedTime(shown, *gpu);
    predicted = {{"gpu", gpu->name}, {"uncached_ms", time.uncachedMs}, {"each_array_once_ms", time.onceMs}};
  }
  return {{"kernel", shown.file.id},
          {"bindings", bindingsToJson(shown.file, shown.bindings)},
          {"measured", std::move(measured)},
          {"predicted", std::move(predicted)}};
}

/// Makes the document of a panel, on any thread.
std::function<Json()> documentOf(const AppState& state, Tab panel) {
  const std::shared_ptr<const experiment::Experiment> shown = state.experiment;
  if (shown == nullptr) { throw InputError(tr("Nothing has been executed yet.")); }
  if (panel == Tab::Tuning) {
    const auto map = state.tuning.map;
    if (map == nullptr || !map->complete) { throw InputError(tr("the tuning map is not complete yet")); }
    if (!map->problem.empty()) { throw InputError(map->problem); }
    return [shown, map] { return tables::tuningJson(shown->file, *map); };
  }
  if (panel == Tab::Timings) {
    return [json = timingsJson(state)] { return json; };
  }
  if (!showsCounts(panel)) { throw InputError(noTableText(panel)); }
  return [shown] { return tables::countJson(shown->file.id, *shown, shown->choice.data); };
}

}  // namespace

Json panelJson(const AppState& state, Tab panel) { return documentOf(state, panel)(); }

std::string panelCsv(const Json& document) {
  if (document.contains("cells")) {
    Json rows = Json::array();
    for (const Json& cell : document["cells"]) {
      Json row = {{"id", document["id"]}, {"gpu", document["gpu"]}, {"size", document["size"]}};
      row.update(cell);
      rows.push_back(std::move(row));
    }
    return rowsCsv(rows);
  }
  Json rows = Json::array();
  for (auto& [name, value] : leavesOf(document)) { rows.push_back({{"quantity", name}, {"value", value}}); }
  return rowsCsv(rows);
}

std::function<std::string()> panelTable(const AppState& state, const ExportPlan& plan) {
  return [document = documentOf(state, plan.panel), csv = plan.format == ExportFormat::Csv] {
    return csv ? panelCsv(document()) : jsonText(document(), 2) + "\n";
  };
}

}  // namespace haloscope::exporting
