#include "host/HostFunction.h"

#include <nlohmann/json.hpp>

#include "program/SourceLocation.h"
#include "text/JsonText.h"

namespace haloscope::host {

namespace {

/// More than any function takes that is compared; the description may be forged.
constexpr std::size_t kMaxDescriptionBytes = 64 << 10;
constexpr std::size_t kMaxParameters = 64;

}  // namespace

std::string textOf(const HostFunction& function) {
  auto parameters = nlohmann::json::array();
  for (const HostParameter& one : function.parameters) {
    parameters.push_back({one.name, one.form, one.type, one.written});
  }
  return jsonText(
      nlohmann::json{function.name, function.at.file, function.at.line, function.returnsVector, parameters});
}

HostFunction functionIn(const std::string& text) {
  if (text.size() > kMaxDescriptionBytes) {
    throw InputError("the host process sent a function whose description is too long");
  }
  try {
    const auto json = nlohmann::json::parse(text);
    HostFunction function{.name = json.at(0).get<std::string>(),
                          .at = {.file = json.at(1).get<std::string>(), .line = json.at(2).get<int>()},
                          .parameters = {},
                          .returnsVector = json.at(3).get<bool>()};
    if (json.at(4).size() > kMaxParameters) {
      throw InputError("a function of the host process has too many parameters");
    }
    for (const auto& one : json.at(4)) {
      HostParameter& parameter = function.parameters.emplace_back();
      parameter.name = one.at(0).get<std::string>();
      const int form = one.at(1).get<int>();
      const int type = one.at(2).get<int>();
      parameter.written = one.at(3).get<bool>();
      if (form < 0 || form > static_cast<int>(HostParameter::Form::Vector) || type < 0 ||
          type >= static_cast<int>(ValueType::Pointer)) {
        throw InputError("a function of the host process has a parameter of an unknown type");
      }
      parameter.form = static_cast<HostParameter::Form>(form);
      parameter.type = static_cast<ValueType>(type);
    }
    return function;
  } catch (const nlohmann::json::exception&) {
    throw InputError("the host process sent a function whose description cannot be read");
  }
}

}  // namespace haloscope::host
