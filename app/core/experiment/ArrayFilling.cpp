#include "experiment/ArrayFilling.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "experiment/InputData.h"
#include "language/Text.h"
#include "provenance/ValueFlow.h"

namespace haloscope::experiment {

namespace {

/// The arrays indexed by elements of `object`, determined from the data flow of loaded values to addresses.
std::set<ObjectId> lookedUpIn(const Program& program, ObjectId object) {
  const provenance::ValueFlow flow(program);
  std::set<ObjectId> arrays;
  std::vector<std::uint32_t> loads;
  for (std::uint32_t at = 0; at < program.code.size(); ++at) {
    if (program.code[at].op == Opcode::Load && program.code[at].aux == object) { loads.push_back(at); }
  }
  flow.follow(std::move(loads), [&](std::uint32_t from, std::uint32_t at) {
    const Instruction& code = program.code[at];
    const bool address = isAccess(code.op);
    if (address && code.a == program.code[from].dst && program.registers[code.a].type == ValueType::Pointer) {
      if (code.aux != kNone) { arrays.insert(code.aux); }
      return false;
    }
    if (code.op == Opcode::Select && code.a == program.code[from].dst) { return false; }
    const bool becomesReal = code.op == Opcode::Convert && isFloating(code.type);
    const bool decides = code.op >= Opcode::Equal && code.op <= Opcode::GreaterEqual;
    return !address && !becomesReal && !decides && code.dst != kNone;
  });
  return arrays;
}

bool isCounter(const Program& program, ObjectId object, std::int64_t elements) {
  return std::ranges::any_of(program.code, [&](const Instruction& code) {
    return code.aux == object && (isAtomic(code.op) || (code.op == Opcode::Store && elements == 1));
  });
}

std::int64_t drawn(std::uint64_t seed, std::int64_t index, std::int64_t low, std::int64_t high) {
  const double span = static_cast<double>(high - low + 1);
  return low + static_cast<std::int64_t>(randomUnit(seed, index) * span);
}

std::pair<std::int64_t, std::int64_t> rangeOf(Filling filling, ValueType element) {
  switch (filling) {
    case Filling::Flags:
      return {0, 1};
    case Filling::Wholes:
      return element == ValueType::I8 ? std::pair<std::int64_t, std::int64_t>{-128, 127}
                                      : std::pair<std::int64_t, std::int64_t>{-100, 100};
    default:
      return {0, 255};
  }
}

}  // namespace

Filling fillingOf(const Program& program, ObjectId object, std::int64_t elements) {
  const ValueType element = program.objects[object].element;
  if (isFloating(element)) { return Filling::Reals; }
  if (isCounter(program, object, elements)) { return Filling::Zeros; }
  if (element == ValueType::Bool) { return Filling::Flags; }
  if (element == ValueType::U8) { return Filling::Bytes; }
  if (element != ValueType::I8 && !lookedUpIn(program, object).empty()) { return Filling::Indices; }
  return isSigned(element) ? Filling::Wholes : Filling::Naturals;
}

bool steers(const Program& program, ObjectId object) {
  const provenance::ValueFlow flow(program);
  std::vector<std::uint32_t> loads;
  for (std::uint32_t at = 0; at < program.code.size(); ++at) {
    if (program.code[at].op == Opcode::Load && program.code[at].aux == object) { loads.push_back(at); }
  }
  bool found = false;
  flow.follow(std::move(loads), [&](std::uint32_t from, std::uint32_t at) {
    const Instruction& code = program.code[at];
    const bool becomesReal = code.op == Opcode::Convert && isFloating(code.type);
    const bool divides = (code.op == Opcode::Div || code.op == Opcode::Rem) && code.b == program.code[from].dst;
    found = found || (isAccess(code.op) && code.a == program.code[from].dst) || (divides && !isFloating(code.type));
    return !found && !isAccess(code.op) && !becomesReal && code.dst != kNone;
  });
  return found;
}

std::int64_t indexBound(const Program& program, const Launch& launch, ObjectId object) {
  std::int64_t bound = launch.arrays[object].elementCount();
  for (const ObjectId array : lookedUpIn(program, object)) {
    const MemoryObject& target = program.objects[array];
    const bool atLaunch = target.space == MemorySpace::Global || target.space == MemorySpace::Constant;
    if (atLaunch && !launch.arrays[array].extents.empty()) {
      bound = std::min(bound, launch.arrays[array].elementCount());
    } else if (!atLaunch && !target.extentsAtLaunch) {
      bound = std::min(bound, target.elementCount());
    }
  }
  return std::max<std::int64_t>(bound, 1);
}

void fill(ArrayData& array, Filling filling, std::uint64_t seed, std::int64_t bound) {
  if (filling == Filling::Reals) {
    fillRandom(array, seed);
    return;
  }
  const std::int64_t count = array.elementCount();
  if (filling == Filling::Zeros) {
    std::ranges::fill(array.bytes, std::byte{0});
  } else if (filling == Filling::Indices) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    for (std::int64_t i = count - 1; i > 0; --i) {  // Fisher and Yates
      std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(drawn(seed, i, 0, i))]);
    }
    for (std::int64_t i = 0; i < count; ++i) {
      setValue(array, i, static_cast<double>(order[static_cast<std::size_t>(i)] % bound));
    }
  } else {
    const auto [low, high] = rangeOf(filling, array.element);
    for (std::int64_t i = 0; i < count; ++i) { setValue(array, i, static_cast<double>(drawn(seed, i, low, high))); }
  }
}

std::string describe(Filling filling, ValueType element) {
  switch (filling) {
    case Filling::Reals:
      return tr("random numbers from -1 to 1");
    case Filling::Flags:
      return tr("random booleans");
    case Filling::Indices:
      return tr("a permutation of the indices for which it is used");
    case Filling::Zeros:
      return "zeros";
    default:
      break;
  }
  const auto [low, high] = rangeOf(filling, element);
  return trf("random integers from {} to {}", low, high);
}

}  // namespace haloscope::experiment
