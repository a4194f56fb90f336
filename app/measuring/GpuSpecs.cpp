#include "measuring/GpuSpecs.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "program/SourceLocation.h"

namespace haloscope::measuring {
namespace {

using nlohmann::json;

/// One entry of the file, with the words that name it in an error.
class Entry {
 public:
  Entry(const json& value, std::string place) : value_(value), place_(std::move(place)) {}

  [[nodiscard]] std::string text(const char* field) const {
    const json& value = at(field);
    if (!value.is_string() || value.get_ref<const std::string&>().empty()) {
      throw InputError(fmt::format("{}: '{}' must be a string", place_, field));
    }
    return value.get<std::string>();
  }

  [[nodiscard]] double positive(const char* field) const {
    const json& value = at(field);
    if (!value.is_number() || value.get<double>() <= 0) {
      throw InputError(fmt::format("{}: '{}' must be a number above zero", place_, field));
    }
    return value.get<double>();
  }
  /// 0 if it is missing.
  [[nodiscard]] double positiveOrNone(const char* field) const { return value_.contains(field) ? positive(field) : 0; }

 private:
  [[nodiscard]] const json& at(const char* field) const {
    const auto found = value_.find(field);
    if (found == value_.end()) { throw InputError(fmt::format("{}: '{}' is missing", place_, field)); }
    return *found;
  }

  const json& value_;
  std::string place_;
};

GpuSpec readSpec(const json& value, const std::string& place) {
  if (!value.is_object()) { throw InputError(fmt::format("{}: must be an object", place)); }
  const Entry entry(value, place);
  GpuSpec spec;
  spec.name = entry.text("name");
  spec.bandwidthGBs = entry.positive("bandwidth_gbs");
  spec.fp32GFlops = entry.positive("fp32_gflops");
  spec.fp64GFlops = entry.positive("fp64_gflops");
  spec.multiprocessors = static_cast<int>(entry.positive("multiprocessors"));
  spec.computeCapability = entry.text("compute_capability");
  spec.memoryGiB = entry.positiveOrNone("memory_gib");
  spec.l2MiB = entry.positiveOrNone("l2_mib");
  spec.clockMHz = entry.positiveOrNone("clock_mhz");
  spec.source = entry.text("source");
  return spec;
}

}  // namespace

std::vector<GpuSpec> readGpuSpecs(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) { throw InputError(fmt::format("{}: cannot be opened", file.string())); }
  json document;
  try {
    document = json::parse(stream);
  } catch (const json::parse_error& error) { throw InputError(fmt::format("{}: {}", file.string(), error.what())); }
  const auto gpus = document.find("gpus");
  if (gpus == document.end() || !gpus->is_array()) {
    throw InputError(fmt::format("{}: 'gpus' must be a list", file.string()));
  }
  std::vector<GpuSpec> specs;
  specs.reserve(gpus->size());
  for (const json& value : *gpus) {
    specs.push_back(readSpec(value, fmt::format("{}: entry {}", file.string(), specs.size() + 1)));
  }
  return specs;
}

}  // namespace haloscope::measuring
