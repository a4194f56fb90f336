#include "tables/BindingsJson.h"

#include <nlohmann/json.hpp>

namespace haloscope {

nlohmann::ordered_json bindingsToJson(const KernelFile& file, const Bindings& bindings) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [name, value] : bindings) {
    if (file.isPrecision(name)) {
      json[name] = file.valueText(name, value);
    } else {
      json[name] = value;
    }
  }
  return json;
}

nlohmann::ordered_json dataToJson(const inputs::ChosenData& data) { return inputs::texts(data); }

nlohmann::ordered_json programDataToJson(const experiment::Experiment& experiment) {
  if (!experiment.launchData) { return nullptr; }
  return experiment.file.data->launch;
}

nlohmann::ordered_json sizeToJson(const KernelFile& file, const Bindings& bindings) {
  nlohmann::ordered_json each = nlohmann::ordered_json::object();
  bool same = true;
  for (const SizeParameter& size : file.sizes) {
    each[size.name] = bindings.at(size.name);
    same = same && bindings.at(size.name) == bindings.at(file.sizes.front().name);
  }
  return same && !file.sizes.empty() ? each[file.sizes.front().name] : each;
}

}  // namespace haloscope
