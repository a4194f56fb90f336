#include "measuring/GpuSpecs.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "language/Text.h"
#include "measuring/JsonEntry.h"
#include "program/ResourceFolder.h"
#include "program/SourceLocation.h"

namespace haloscope::measuring {
namespace {

GpuSpec readSpec(const JsonEntry& entry) {
  return GpuSpec{.name = entry.text("name"),
                 .bandwidthGBs = entry.positive("bandwidth_gbs"),
                 .fp32GFlops = entry.positive("fp32_gflops"),
                 .fp64GFlops = entry.positive("fp64_gflops"),
                 .multiprocessors = static_cast<int>(entry.positive("multiprocessors")),
                 .computeCapability = entry.text("compute_capability"),
                 .memoryGiB = entry.positiveOrNone("memory_gib"),
                 .l2MiB = entry.positiveOrNone("l2_mib"),
                 .clockMHz = entry.positiveOrNone("clock_mhz"),
                 .source = entry.text("source")};
}

}  // namespace

std::vector<GpuSpec> readGpuSpecs(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) { throw InputError(trf("{}: cannot be opened", file.string())); }
  nlohmann::json document;
  try {
    document = nlohmann::json::parse(stream);
  } catch (const nlohmann::json::parse_error& error) {
    throw InputError(fmt::format("{}: {}", file.string(), error.what()));
  }
  const auto gpus = document.find("gpus");
  if (gpus == document.end() || !gpus->is_array()) {
    throw InputError(trf("{}: 'gpus' must be a list", file.string()));
  }
  std::vector<GpuSpec> specs;
  specs.reserve(gpus->size());
  for (const nlohmann::json& value : *gpus) {
    specs.push_back(readSpec({value, trf("{}: entry {}", file.string(), specs.size() + 1)}));
  }
  return specs;
}

std::vector<GpuSpec> knownGpus() { return readGpuSpecs(resourceFolder("assets", HALOSCOPE_SOURCE_DIR) / "gpus.json"); }

std::size_t defaultGpuAmong(const std::vector<GpuSpec>& gpus) {
  const auto named = std::ranges::find_if(gpus, [](const GpuSpec& one) { return one.name.starts_with("NVIDIA H200"); });
  return named == gpus.end() ? 0 : static_cast<std::size_t>(named - gpus.begin());
}

GpuSpec defaultGpu() {
  const std::vector<GpuSpec> gpus = knownGpus();
  return gpus.at(defaultGpuAmong(gpus));
}

}  // namespace haloscope::measuring
