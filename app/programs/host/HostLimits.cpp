#include "host/HostLimits.h"

#include <cstdlib>

#include "program/SourceLocation.h"

namespace haloscope::host {

std::vector<std::string> HostLimits::toArguments() const {
  return {std::to_string(memoryBytes), std::to_string(compileTime.count()), std::to_string(runTime.count()),
          compilerHeaders};
}

HostLimits HostLimits::fromArguments(const std::vector<std::string>& arguments) {
  constexpr std::size_t kCount = 4;
  if (arguments.size() != kCount) { throw InputError("the host process is not started with its limits"); }
  const auto number = [&](std::size_t i) { return std::strtoull(arguments[i].c_str(), nullptr, 10); };
  return {.memoryBytes = number(0),
          .compileTime = std::chrono::seconds(number(1)),
          .runTime = std::chrono::seconds(number(2)),
          .compilerHeaders = arguments[3]};
}

}  // namespace haloscope::host
