#include "running/LaunchDescription.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <set>
#include <vector>

#include "language/Text.h"
#include "program/AccessedObjects.h"
#include "program/Half.h"

namespace haloscope::running {

namespace {

std::string valueText(const Parameter& parameter, std::uint64_t bits) {
  switch (parameter.type) {
    case ValueType::F32: {
      float value = 0;
      std::memcpy(&value, &bits, sizeof value);
      return fmt::format("{}", value);
    }
    case ValueType::F16:
      return fmt::format("{}", halfValue(static_cast<std::uint16_t>(bits)));
    case ValueType::F64: {
      double value = 0;
      std::memcpy(&value, &bits, sizeof value);
      return fmt::format("{}", value);
    }
    case ValueType::I8:
      return fmt::format("{}", static_cast<std::int8_t>(bits));
    case ValueType::I16:
      return fmt::format("{}", static_cast<std::int16_t>(bits));
    case ValueType::I32:
      return fmt::format("{}", static_cast<std::int32_t>(bits));
    case ValueType::I64:
      return fmt::format("{}", static_cast<std::int64_t>(bits));
    default:
      return fmt::format("{}", bits);
  }
}

}  // namespace

void describe(ProgramLaunch& launch, const BoundLaunch& bound, const DeviceMemory& memory, HostFindings& findings) {
  const std::vector<bool> reads = readObjects(*bound.program, false);
  const std::vector<bool> writes = accessedObjects(*bound.program, {.kind = writesMemory, .texels = false});
  for (const BoundPointer& pointer : bound.pointers) {
    launch.pointers.push_back({.parameter = pointer.parameter,
                               .place = pointer.place,
                               .reads = reads[pointer.object],
                               .writes = writes[pointer.object]});
    if (pointer.isNull || !pointer.place) { continue; }
    const Allocation& one = memory.at(pointer.place->allocation);
    if (one.freed) {
      findings.add(HostFindingKind::UsedAfterFree, launch.at,
                   trf("{} is given memory for {} that was freed at {}.", launch.kernel, pointer.parameter,
                       placeText(one.freedAt)));
    }
  }
  for (const BoundPointer& pointer : bound.pointers) {
    if (!pointer.place && !pointer.isNull) {
      findings.add(HostFindingKind::HostPointer, launch.at,
                   trf("{} is given an address of the host's memory for {}: a kernel cannot use it.", launch.kernel,
                       pointer.parameter));
    }
  }
  for (std::size_t i = 0; i < bound.program->parameters.size(); ++i) {
    const Parameter& parameter = bound.program->parameters[i];
    if (parameter.object != kNone) { continue; }
    const std::string value = valueText(parameter, bound.launch.arguments[i]);
    launch.scalars[parameter.name] = value;
    const double number = std::strtod(value.c_str(), nullptr);
    if (std::isfinite(number)) { launch.facts.scalars[parameter.name] = number; }
  }
  launch.facts.symbol = launch.symbol;
  launch.facts.instance = launch.kernel;
  launch.facts.configuration = launch.configuration;
  launch.facts.sharesArrays = false;
  std::set<AllocationId> used;
  for (const BoundPointer& pointer : bound.pointers) {
    if (!pointer.place) { continue; }
    const std::int64_t size = sizeInMemory(bound.program->objects[pointer.object].element);
    const auto bytes = static_cast<std::int64_t>(bound.launch.arrays[pointer.object].bytes.size());
    launch.facts.elements[pointer.parameter] = (bytes - pointer.place->offset) / size;
    const bool isNew = used.insert(pointer.place->allocation).second;
    launch.facts.sharesArrays = launch.facts.sharesArrays || !isNew || pointer.place->offset != 0;
  }
  for (const auto& [object, allocation] : bound.allocations) {
    const bool parameter =
        std::ranges::any_of(bound.pointers, [&](const BoundPointer& one) { return one.object == object; });
    if (!parameter) {
      launch.variables.push_back({.parameter = bound.program->objects[object].name,
                                  .place = DevicePlace{allocation, 0},
                                  .reads = reads[object],
                                  .writes = writes[object]});
    }
    if (bound.program->objects[object].space == MemorySpace::Global) {
      launch.arrayBytes += bound.launch.arrays[object].bytes.size();
    }
  }
}

std::shared_ptr<const std::map<std::string, std::vector<std::byte>>> integersOf(const BoundLaunch& bound) {
  constexpr std::size_t kMostBytes = std::size_t{16} << 20;
  std::map<std::string, std::vector<std::byte>> integers;
  std::size_t bytes = 0;
  for (const auto& [object, allocation] : bound.allocations) {
    const MemoryObject& array = bound.program->objects[object];
    const std::vector<std::byte>& held = bound.launch.arrays[object].bytes;
    const auto moved = [&](const BoundPointer& one) {
      return one.object == object && one.place && one.place->offset != 0;
    };
    const bool isInteger = !isFloating(array.element) && array.element != ValueType::Pointer;
    if (!isInteger || bytes + held.size() > kMostBytes || std::ranges::any_of(bound.pointers, moved) ||
        unwrittenWords(held) != nullptr) {
      continue;
    }
    bytes += held.size();
    // Of pointers into one array, each has it.
    integers[array.name] = held;
    for (const BoundPointer& one : bound.pointers) {
      if (one.object == object) { integers[one.parameter] = held; }
    }
  }
  return std::make_shared<const std::map<std::string, std::vector<std::byte>>>(std::move(integers));
}

std::string shapeOf(const ProgramLaunch& launch) {
  std::string shape = fmt::format("{} {} {} {} {} {}", launch.symbol, text(launch.configuration.grid),
                                  text(launch.configuration.block), text(launch.configuration.cluster),
                                  launch.configuration.dynamicSharedBytes, launch.configuration.cooperative);
  std::vector<AllocationId> seen;
  for (const LaunchPointer& pointer : launch.pointers) {
    if (!pointer.place) {
      shape += " -";
      continue;
    }
    const auto known = std::ranges::find(seen, pointer.place->allocation);
    shape += fmt::format(" {}+{}", known - seen.begin(), pointer.place->offset);
    if (known == seen.end()) { seen.push_back(pointer.place->allocation); }
  }
  return shape;
}

KeptLaunch keptOf(const BoundLaunch& bound) {
  KeptLaunch kept{.program = bound.program, .launch = bound.launch, .pointers = bound.pointers, .arrays = {}};
  for (const auto& [object, allocation] : bound.allocations) { kept.arrays.push_back(object); }
  return kept;
}

}  // namespace haloscope::running
