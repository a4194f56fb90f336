#include "measuring/Agreement.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "experiment/InputData.h"

namespace haloscope::measuring {

namespace {

double relativeDifference(const ArrayData& a, const ArrayData& b) {
  if (a.bytes.empty()) { return 0; }  // no kernel can access it
  double largest = 0;
  double apart = 0;
  for (std::int64_t i = 0; i < a.elementCount(); ++i) {
    const double x = experiment::valueAt(a, i);
    const double y = experiment::valueAt(b, i);
    if (x == y || (std::isnan(x) && std::isnan(y))) {
      largest = std::isfinite(x) ? std::max(largest, std::abs(x)) : largest;
      continue;
    }
    if (!std::isfinite(x) || !std::isfinite(y)) { return std::numeric_limits<double>::infinity(); }
    largest = std::max(largest, std::abs(x));
    apart = std::max(apart, std::abs(x - y));
  }
  return isFloating(a.element) && largest > 0 ? apart / largest : apart;
}

double toleranceOf(ValueType type, bool computesReals) {
  switch (type) {
    case ValueType::F16:
      return 1e-2;
    case ValueType::F32:
      return 1e-5;
    case ValueType::F64:
      return 1e-13;
    default:
      return computesReals ? 1 : 0;
  }
}

}  // namespace

bool sameBits(const Program& program, const Launch& one, const Launch& other) {
  for (ObjectId id = 0; id < program.objects.size(); ++id) {
    if (program.objects[id].space != MemorySpace::Global || one.arrays[id].bytes == other.arrays[id].bytes) {
      continue;
    }
    const ArrayData& a = one.arrays[id];
    const ArrayData& b = other.arrays[id];
    if (!isFloating(a.element) || a.bytes.size() != b.bytes.size()) { return false; }
    const auto size = static_cast<std::size_t>(sizeInMemory(a.element));
    for (std::int64_t i = 0; i < a.elementCount(); ++i) {
      const std::size_t at = static_cast<std::size_t>(i) * size;
      const bool same = std::memcmp(a.bytes.data() + at, b.bytes.data() + at, size) == 0;
      if (!same && !(std::isnan(experiment::valueAt(a, i)) && std::isnan(experiment::valueAt(b, i)))) { return false; }
    }
  }
  return true;
}

Agreement agreementOf(const Program& program, const Launch& one, const Launch& other) {
  const bool computesReals = std::ranges::any_of(program.code, [&](const Instruction& instruction) {
    return instruction.op == Opcode::Convert && isFloating(program.registers[instruction.a].type) &&
           !isFloating(instruction.type);
  });
  Agreement agreement;
  for (ObjectId id = 0; id < program.objects.size(); ++id) {
    if (program.objects[id].space != MemorySpace::Global) { continue; }
    const double tolerance = toleranceOf(one.arrays[id].element, computesReals);
    const double apart = relativeDifference(one.arrays[id], other.arrays[id]);
    // The worst one is the one that exceeds what it may by most.
    if (agreement.tolerance == 0 || apart - tolerance > agreement.difference - agreement.tolerance) {
      agreement = {apart, tolerance};
    }
  }
  return agreement;
}

}  // namespace haloscope::measuring
