#include <optional>

#include "documents/Memory.h"

namespace haloscope {

namespace {

nlohmann::json extentJson(const std::optional<Dim3>& extent) {
  return extent ? nlohmann::json{extent->x, extent->y, extent->z} : nlohmann::json();
}

std::optional<Dim3> extentOf(const nlohmann::json& json) {
  if (!json.is_array() || json.size() != 3) { return std::nullopt; }
  return Dim3{json[0].get<std::uint32_t>(), json[1].get<std::uint32_t>(), json[2].get<std::uint32_t>()};
}

nlohmann::json toJson(const OpenedLaunch& launch) {
  nlohmann::json json = {{"kernel", launch.kernel},
                         {"grid", extentJson(launch.overrides.grid)},
                         {"block", extentJson(launch.overrides.block)},
                         {"bindings", launch.overrides.bindings},
                         {"defines", launch.overrides.defines}};
  if (launch.overrides.dynamicSharedBytes) { json["dynamic shared bytes"] = *launch.overrides.dynamicSharedBytes; }
  return json;
}

OpenedLaunch launchOf(const nlohmann::json& json) {
  OpenedLaunch launch;
  launch.kernel = json.at("kernel").get<std::string>();
  launch.overrides.grid = extentOf(json.at("grid"));
  launch.overrides.block = extentOf(json.at("block"));
  launch.overrides.bindings = json.at("bindings").get<std::map<std::string, std::string>>();
  launch.overrides.defines = json.at("defines").get<std::map<std::string, std::string>>();
  if (const auto bytes = json.find("dynamic shared bytes"); bytes != json.end()) {
    launch.overrides.dynamicSharedBytes = bytes->get<std::int64_t>();
  }
  return launch;
}

// The settings of a file are taken when it is opened.
void restoreLaunches(const nlohmann::json& /*content*/, AppState& /*state*/) {}

void writeLaunches(const AppState& state, nlohmann::json& content) {
  for (const auto& [id, launch] : state.launches) {
    const auto copy = state.copies.find(id);
    const bool set = launch.revision != 0;  // in this run
    if (set && copy != state.copies.end()) { content[copy->second.path.string()] = toJson(launch); }
  }
}

}  // namespace

const MemoryKind kLaunchMemory = {"launches.json", false, restoreLaunches, writeLaunches};

OpenedLaunch rememberedLaunch(const Memory& launches, const std::filesystem::path& path) {
  const auto known = launches.content().find(path.string());
  if (known == launches.content().end()) { return {}; }
  try {
    return launchOf(*known);
  } catch (const nlohmann::json::exception&) { return {}; }
}

}  // namespace haloscope
