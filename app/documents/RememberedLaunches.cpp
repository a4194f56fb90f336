#include "documents/RememberedLaunches.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "documents/FileText.h"

namespace haloscope {

namespace fs = std::filesystem;

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

}  // namespace

RememberedLaunches::RememberedLaunches(fs::path file) : file_(std::move(file)) {
  const std::optional<std::string> text = file_.empty() ? std::nullopt : readWhole(file_);
  const nlohmann::json json = text ? nlohmann::json::parse(*text, nullptr, false) : nlohmann::json();
  if (!json.is_object()) { return; }
  for (const auto& [path, launch] : json.items()) { launches_[path] = launch.dump(); }
}

OpenedLaunch RememberedLaunches::of(const fs::path& path) const {
  const auto known = launches_.find(path.string());
  if (known == launches_.end()) { return {}; }
  try {
    return launchOf(nlohmann::json::parse(known->second));
  } catch (const nlohmann::json::exception&) { return {}; }
}

bool RememberedLaunches::remember(const fs::path& path, const OpenedLaunch& launch) {
  if (launch.revision == 0) { return false; }  // not changed in this run
  std::string now = toJson(launch).dump();
  std::string& known = launches_[path.string()];
  return std::exchange(known, std::move(now)) != known;
}

std::string RememberedLaunches::text() const {
  nlohmann::json json = nlohmann::json::object();
  for (const auto& [path, launch] : launches_) { json[path] = nlohmann::json::parse(launch, nullptr, false); }
  return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace);  // a path may not be UTF-8
}

}  // namespace haloscope
