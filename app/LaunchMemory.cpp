#include "LaunchMemory.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "FileText.h"

namespace haloscope {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::json;

Json toJson(const std::optional<Dim3>& extent) { return extent ? Json{extent->x, extent->y, extent->z} : Json(); }

std::optional<Dim3> extentOf(const Json& json) {
  if (!json.is_array() || json.size() != 3) { return std::nullopt; }
  return Dim3{json[0].get<std::uint32_t>(), json[1].get<std::uint32_t>(), json[2].get<std::uint32_t>()};
}

Json toJson(const OpenedLaunch& launch) {
  Json json = {{"kernel", launch.kernel},
               {"grid", toJson(launch.overrides.grid)},
               {"block", toJson(launch.overrides.block)},
               {"bindings", launch.overrides.bindings},
               {"defines", launch.overrides.defines}};
  if (launch.overrides.dynamicSharedBytes) { json["dynamic shared bytes"] = *launch.overrides.dynamicSharedBytes; }
  return json;
}

OpenedLaunch launchOf(const Json& json) {
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

}  // namespace

LaunchMemory::LaunchMemory(fs::path file) : file_(std::move(file)) {
  const std::optional<std::string> text = file_.empty() ? std::nullopt : readWhole(file_);
  const Json json = text ? Json::parse(*text, nullptr, false) : Json();
  if (!json.is_object()) { return; }
  for (const auto& [path, launch] : json.items()) { launches_[path] = launch.dump(); }
}

OpenedLaunch LaunchMemory::of(const fs::path& path) const {
  const auto known = launches_.find(path.string());
  if (known == launches_.end()) { return {}; }
  try {
    return launchOf(Json::parse(known->second));
  } catch (const Json::exception&) { return {}; }
}

bool LaunchMemory::remember(const fs::path& path, const OpenedLaunch& launch) {
  if (launch.revision == 0) { return false; }  // nothing was said in this run
  std::string now = toJson(launch).dump();
  std::string& known = launches_[path.string()];
  return std::exchange(known, std::move(now)) != known;
}

std::string LaunchMemory::text() const {
  Json json = Json::object();
  for (const auto& [path, launch] : launches_) { json[path] = Json::parse(launch, nullptr, false); }
  return json.dump(1);
}

}  // namespace haloscope
