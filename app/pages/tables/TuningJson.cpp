#include "tables/TuningJson.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "language/Text.h"
#include "tables/BindingsJson.h"

namespace haloscope::tables {

namespace {

using Json = nlohmann::ordered_json;
using measuring::TuningCell;

Json spreadToJson(const gpu::Spread& time) {
  if (time.samples == 0) { return nullptr; }
  return {{"median_ms", time.medianMs}, {"p10_ms", time.p10Ms}, {"p90_ms", time.p90Ms}, {"samples", time.samples}};
}

Json cellToJson(const KernelFile& file, const TuningCell& cell) {
  return {{"bindings", bindingsToJson(file, cell.bindings)},
          {"register_limit", cell.registerLimit > 0 ? Json(cell.registerLimit) : Json(nullptr)},
          {"limit_changes_nothing", cell.freeAnyway},
          {"threads", cell.limit.empty() ? Json(cell.configuration.threadsPerBlock()) : Json(nullptr)},
          {"cannot_run", cell.limit.empty() ? Json(nullptr) : Json(cell.limit)},
          {"time", spreadToJson(cell.time)},
          {"effective_gb_per_s", cell.effectiveGBs},
          {"fraction_of_copy", cell.fractionOfCopy},
          {"registers_per_thread", cell.registers > 0 ? Json(cell.registers) : Json(nullptr)},
          {"spill_bytes_per_thread", cell.spillBytes},
          {"shared_bytes_per_block", cell.sharedBytes},
          {"resident_blocks", cell.occupancy.residentBlocks},
          {"occupancy", cell.occupancy.share},
          {"limited_by", cell.occupancy.limitedBy}};
}

Json axisToJson(const measuring::TuningAxis& axis) {
  return {{"name", axis.ofRegisters() ? tr("registers per thread, at most") : axis.name}, {"values", axis.values}};
}

}  // namespace

Json tuningJson(const KernelFile& file, const measuring::TuningMap& map) {
  Json cells = Json::array();
  for (const TuningCell& cell : map.cells) { cells.push_back(cellToJson(file, cell)); }
  Json sizes = Json::array();
  for (const measuring::SizePoint& point : map.sizes) {
    sizes.push_back({{"size", point.size},
                     {"blocks", point.blocks},
                     {"waves", point.waves},
                     {"time", spreadToJson(point.time)},
                     {"ns_per_point", point.nsPerPoint}});
  }
  const auto best = map.best();
  return {{"id", map.kernel},
          {"gpu", map.gpu},
          {"timed", map.timing},
          {"size", map.size},
          {"columns", axisToJson(map.columns)},
          {"rows", axisToJson(map.rows)},
          {"cells", std::move(cells)},
          {"best", best ? Json(*best) : Json(nullptr)},
          {"copy_gb_per_s", map.copyGBs},
          {"sm_clock_mhz", map.clockMHz},
          {"power_watts", map.powerWatts},
          {"disturbed", map.disturbance},
          {"note", map.note},
          {"seconds", map.seconds},
          {"sizes", std::move(sizes)}};
}

}  // namespace haloscope::tables
