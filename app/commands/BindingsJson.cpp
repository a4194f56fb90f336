#include "commands/BindingsJson.h"

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

}  // namespace haloscope
