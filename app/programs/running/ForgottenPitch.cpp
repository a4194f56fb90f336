#include "running/ForgottenPitch.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "language/Text.h"
#include "running/HostFindings.h"
#include "running/UnsetArrays.h"

namespace haloscope::running {

namespace {

bool takesInteger(const Parameter& parameter) {
  return parameter.object == kNone && parameter.type != ValueType::Pointer && !isFloating(parameter.type);
}

/// The parameter that takes the length of a row where it should take the pitch: the one behind the array.
const Parameter* rowInstead(const ProgramLaunch& launch, ObjectId object, std::uint64_t row) {
  const auto& parameters = launch.program->parameters;
  const auto array = std::ranges::find(parameters, object, &Parameter::object);
  if (array == parameters.end() || array + 1 == parameters.end() || !takesInteger(array[1])) { return nullptr; }
  const auto passed = launch.scalars.find(array[1].name);
  return passed != launch.scalars.end() && passed->second == std::to_string(row) ? &array[1] : nullptr;
}

/// Whether a launch passes a number.
bool passes(const ProgramLaunch& launch, std::uint64_t number) {
  return std::ranges::any_of(launch.program->parameters, [&](const Parameter& one) {
    const auto passed = launch.scalars.find(one.name);
    return takesInteger(one) && passed != launch.scalars.end() && passed->second == std::to_string(number);
  });
}

/// The rest of the finding's sentence; empty: the pitch does not explain it.
std::string causeOf(const ProgramLaunch& launch, const faults::Finding& finding, const Allocation& array) {
  const auto size = static_cast<std::uint64_t>(sizeInMemory(launch.program->objects[finding.object].element));
  const std::string pitch = trf("{} has a pitch of {} ({})", array.label.empty() ? tr("the array") : array.label,
                                bytesText(array.pitch), placeText(array.allocatedAt));
  for (const std::uint64_t unit : {std::uint64_t{1}, size}) {
    if (array.row % unit != 0 || array.pitch % unit != 0) { continue; }
    if (const Parameter* one = rowInstead(launch, finding.object, array.row / unit)) {
      return trf("{}; the launch at line {} passes {} for {}{}", pitch, launch.at.line, array.row / unit, one->name,
                 unit == 1 ? "" : trf(" instead of {} elements", array.pitch / unit));
    }
  }
  if (passes(launch, array.pitch) || passes(launch, array.pitch / size)) { return {}; }
  return trf("{}, which the launch at line {} does not pass", pitch, launch.at.line);
}

}  // namespace

void nameForgottenPitches(ProgramRun& run) {
  for (ProgramLaunch& launch : run.launches) {
    for (faults::Finding& finding : launch.findings) {
      const std::optional<AllocationId> id = allocationOf(launch, finding.object);
      if (finding.kind != faults::FindingKind::Uninitialized || !id) { continue; }
      const Allocation& array = run.allocations.at(*id);
      const std::string cause = array.pitch > 0 ? causeOf(launch, finding, array) : std::string();
      if (cause.empty()) { continue; }
      finding.remedy.clear();
      finding.message += "; " + cause;
    }
  }
}

}  // namespace haloscope::running
