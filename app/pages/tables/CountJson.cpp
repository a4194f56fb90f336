#include "tables/CountJson.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "measuring/GpuSpecs.h"
#include "measuring/PredictedTime.h"
#include "tables/BindingsJson.h"
#include "tables/Dim3Json.h"

namespace haloscope::tables {

namespace {

using Json = nlohmann::ordered_json;

Json toJson(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

/// The time by the roofline of every GPU in assets/gpus.json; not measured.
Json predictedToJson(const experiment::Experiment& experiment) {
  Json gpus = Json::array();
  for (const measuring::GpuSpec& gpu : measuring::knownGpus()) {
    const measuring::PredictedTime time = measuring::predictedTime(experiment, gpu);
    const measuring::Roof roof = measuring::roofOf(gpu, measuring::computedType(experiment));
    gpus.push_back({{"gpu", gpu.name},
                    {"dram_gbs", roof.bandwidthGBs},
                    {"peak_gflops", time.peakKnown ? Json(roof.peakGFlops) : Json(nullptr)},
                    {"uncached_ms", time.uncachedMs},
                    {"each_array_once_ms", time.onceMs}});
  }
  return gpus;
}

/// Statements that accessed memory, in the order of the text.
Json requestsToJson(const experiment::Experiment& experiment) {
  Json list = Json::array();
  const std::vector<analysis::RequestTotals>& statements = experiment.requests.statements;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const analysis::RequestTotals& totals = statements[i];
    if (totals.globalRequests + totals.sharedRequests + totals.constantRequests + totals.clusterRequests == 0) {
      continue;
    }
    const SourceRange& range = experiment.program->statements[i].range;
    Json entry = {{"line", range.line},
                  {"column", range.column},
                  {"lanes_active", kWarpSize * experiment.grid.statements[i].laneEfficiency()}};
    if (totals.globalRequests > 0) {
      entry["global"] = {{"requests", totals.globalRequests},
                         {"sectors", totals.sectors},
                         {"ideal_sectors", totals.idealSectors},
                         {"sectors_per_request", totals.sectorsPerRequest()}};
    }
    if (totals.sharedRequests > 0) {
      entry["shared"] = {{"requests", totals.sharedRequests},
                         {"passes", totals.sharedPasses},
                         {"ideal_passes", totals.idealSharedPasses},
                         {"bank_degree_mean", totals.meanBankDegree()},
                         {"bank_degree_max", totals.bankDegreeMax}};
    }
    if (totals.clusterRequests > 0) {
      entry["cluster"] = {{"requests", totals.clusterRequests}, {"sectors", totals.clusterSectors}};
    }
    if (totals.constantRequests > 0) {
      entry["constant"] = {{"requests", totals.constantRequests},
                           {"passes", totals.constantPasses},
                           {"passes_per_request", totals.passesPerConstantRequest()}};
    }
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace

Json countJson(const std::string& id, const experiment::Experiment& experiment, const inputs::ChosenData& data) {
  const KernelFile& file = experiment.file;
  const experiment::LaunchCounts& counts = experiment.counts;
  const experiment::OpPerByte& opb = experiment.opPerByte;
  return {{"kernel", id},
          {"size", sizeToJson(file, experiment.bindings)},
          {"bindings", bindingsToJson(file, experiment.bindings)},
          {"data", dataToJson(data)},
          {"program_data", programDataToJson(experiment)},
          {"grid", toJson(experiment.configuration.grid)},
          {"block", toJson(experiment.configuration.block)},
          {"threads_per_block", experiment.configuration.threadsPerBlock()},
          {"shared_bytes_per_block", counts.sharedBytesPerBlock},
          {"flops", counts.flops},
          {"global_load_bytes", counts.globalLoadBytes},
          {"global_store_bytes", counts.globalStoreBytes},
          {"constant_load_bytes", counts.constantLoadBytes},
          {"shared_load_bytes", counts.sharedLoadBytes},
          {"shared_store_bytes", counts.sharedStoreBytes},
          {"cluster_load_bytes", counts.clusterLoadBytes},
          {"cluster_store_bytes", counts.clusterStoreBytes},
          {"bulk_copies", experiment.grid.bulkCopies},
          {"bulk_bytes", experiment.grid.bulkBytes},
          {"l1_sectors", experiment.requests.all.sectors},
          {"sectors_per_request", experiment.requests.all.sectorsPerRequest()},
          {"bank_degree_max", experiment.requests.all.bankDegreeMax},
          {"statements", requestsToJson(experiment)},
          {"halo_fraction", toJson(counts.haloFraction)},
          {"interior_products",
           {{"all", counts.products.all},
            {"by_zero", counts.products.byZero},
            {"loads_for_zero", counts.products.loadsForZero}}},
          {"interior_size", bindingsToJson(file, counts.interiorBindings)},
          {"warnings", experiment.warnings},
          {"op_per_byte",
           {{"formula", toJson(opb.formula)},
            {"executed", opb.executed},
            {"interior_block", opb.interiorBlock},
            {"with_stores", opb.withStores}}},
          {"array_bytes", measuring::globalArrayBytes(experiment)},
          {"predicted", predictedToJson(experiment)}};
}

}  // namespace haloscope::tables
