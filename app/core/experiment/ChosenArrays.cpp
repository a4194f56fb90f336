#include "experiment/ChosenArrays.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "experiment/ArrayFilling.h"
#include "experiment/InputData.h"
#include "language/Text.h"
#include "program/Half.h"

namespace haloscope::experiment {

namespace {

using inputs::ArrayChoice;
using inputs::ElementIndex;
using inputs::NumberTable;
using inputs::Pattern;

/// The least and the greatest value that an element of a type holds.
std::pair<double, double> heldBy(ValueType type) {
  if (type == ValueType::F16) { return {-65504, 65504}; }
  if (type == ValueType::F32) { return {-std::numeric_limits<float>::max(), std::numeric_limits<float>::max()}; }
  if (type == ValueType::F64) { return {-std::numeric_limits<double>::max(), std::numeric_limits<double>::max()}; }
  if (type == ValueType::Bool) { return {0, 1}; }
  if (sizeInMemory(type) == 8) {
    return {isSigned(type) ? -0x1p53 : 0, 0x1p53};
  }  // beyond, not every integer is a double
  const double count = std::ldexp(1, 8 * sizeInMemory(type));
  return isSigned(type) ? std::pair(-count / 2, count / 2 - 1) : std::pair(0.0, count - 1);
}

/// The elements of one array as they are chosen.
class ChosenElements {
 public:
  ChosenElements(const std::string& name, ArrayData& array) : name_(name), array_(array) {}

  void set(std::int64_t element, double value) {
    if (const std::string why = whyNotHeld(array_.element, value); !why.empty()) { refuse(why); }
    setValue(array_, element, value);
  }

  /// Sets each element to a function of its indices, slowest axis first.
  template <typename Value>
  void setEach(Value valueOf) {
    ElementIndex index(array_.extents.size(), 0);
    for (std::int64_t element = 0; element < array_.elementCount(); ++element) {
      set(element, valueOf(index));
      for (std::size_t axis = index.size(); axis-- > 0 && ++index[axis] == array_.extents[axis];) { index[axis] = 0; }
    }
  }

  [[nodiscard]] std::int64_t elementAt(const ElementIndex& index) const {
    std::vector<std::int64_t> extents = array_.extents;
    if (extents.empty()) { extents = {1}; }  // a scalar
    if (index.size() != extents.size()) {
      refuse(trf("[{}] has {} {}, the array {}", fmt::join(index, "]["), index.size(),
                 index.size() == 1 ? tr("index") : tr("indices"), extents.size()));
    }
    std::int64_t element = 0;
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
      if (index[axis] >= extents[axis]) {
        refuse(trf("[{}] is outside: the array has {} elements", fmt::join(index, "]["), fmt::join(extents, " × ")));
      }
      element = element * extents[axis] + index[axis];
    }
    return element;
  }

  [[noreturn]] void refuse(const std::string& why) const { throw InputError(trf("data of {}: {}", name_, why)); }

 private:
  const std::string& name_;
  ArrayData& array_;
};

bool holds(const std::vector<std::int64_t>& extents, const NumberTable& table) {
  const bool list = table.extents.size() == 1;
  const std::int64_t all = std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
  return list ? all == table.extents.front() : inputs::longAxes(extents) == table.extents;
}

/// How many elements the array has at other values of one size or tunable: those closest to `wanted`, ascending.
std::vector<std::int64_t> countsThatFit(const KernelFile& file, Bindings bindings, const std::string& name,
                                        std::int64_t wanted) {
  constexpr std::int64_t kTried = 256;
  constexpr std::size_t kNamed = 4;
  const ArrayDeclaration* const declaration = file.findArray(name);
  if (declaration == nullptr) { return {}; }
  std::set<std::int64_t> counts;
  const auto add = [&](const std::string& knob, std::int64_t least, std::int64_t most) {
    const std::int64_t chosen = bindings.at(knob);
    for (std::int64_t value = least; value <= std::min(most, least + kTried); ++value) {
      bindings[knob] = value;
      std::int64_t count = 1;
      for (const Expression& extent : declaration->shape) { count *= extent.evaluateInteger(bindings); }
      if (count > 0) { counts.insert(count); }
    }
    bindings[knob] = chosen;
  };
  for (const SizeParameter& size : file.sizes) { add(size.name, size.minimum, size.maximum); }
  for (const Tunable& tunable : file.tunables) { add(tunable.name, tunable.minimum, tunable.maximum); }
  std::vector<std::int64_t> near(counts.begin(), counts.end());
  std::ranges::stable_sort(near, {}, [&](std::int64_t count) { return std::abs(count - wanted); });
  near.resize(std::min(near.size(), kNamed));
  std::ranges::sort(near);
  return near;
}

/// "7 numbers for 256 elements; width = 7 makes it that long"
std::string misfit(const KernelFile& file, const Bindings& bindings, const std::string& name, const ArrayData& array,
                   const ArrayChoice& choice) {
  const NumberTable& table = *choice.numbers;
  const std::int64_t count = array.elementCount();
  std::string text =
      trn("{} for {} element", "{} for {} elements", static_cast<std::uint64_t>(count),
          choice.file.empty() ? inputs::sizeText(table) : trf("{} has {}", choice.file, inputs::sizeText(table)),
          count == 1 ? "1" : fmt::format("{}", fmt::join(array.extents, " × ")));
  const std::optional<Bindings> sizes = sizesThatFit(file, bindings, name, table);
  if (!sizes) {
    const bool list = table.extents.size() == 1;
    const std::vector<std::int64_t> counts =
        list ? countsThatFit(file, bindings, name, table.extents.front()) : std::vector<std::int64_t>{};
    return counts.empty() ? text : trf("{}; lists of {} numbers fit", text, fmt::join(counts, ", "));
  }
  std::vector<std::string> changes;
  for (const auto& [size, value] : *sizes) { changes.push_back(fmt::format("{} = {}", size, value)); }
  return trn("{}; {} makes it that large", "{}; {} make it that large", changes.size(), text, fmt::join(changes, ", "));
}

void fillPattern(const KernelFile& file, const Bindings& bindings, const Program& program, ObjectId id,
                 const ArrayChoice& choice, Launch& launch) {
  ArrayData& array = launch.arrays[id];
  ChosenElements elements(program.objects[id].name, array);
  switch (choice.pattern) {
    case Pattern::Default:
      return;
    case Pattern::Impulse: {
      ElementIndex at = choice.at;
      if (at.empty()) {
        for (const std::int64_t extent : array.extents) { at.push_back(extent / 2); }
      }
      const std::int64_t element = elements.elementAt(at);
      elements.setEach([](const ElementIndex&) { return 0.0; });
      elements.set(element, 1);
      return;
    }
    case Pattern::Ramp:
      elements.setEach([](const ElementIndex& index) {
        return static_cast<double>(std::accumulate(index.begin(), index.end(), std::int64_t{0}));
      });
      return;
    case Pattern::Checkerboard:
      elements.setEach([](const ElementIndex& index) {
        return static_cast<double>(std::accumulate(index.begin(), index.end(), std::int64_t{0}) % 2);
      });
      return;
    case Pattern::Constant:
      elements.setEach([&](const ElementIndex&) { return choice.constant; });
      return;
    case Pattern::Random: {
      const Filling filling = fillingOf(program, id, array.elementCount());
      fill(array, filling, choice.seed, filling == Filling::Indices ? indexBound(program, launch, id) : 0);
      return;
    }
    case Pattern::Formula: {
      if (array.extents.size() > 3) { elements.refuse(tr("a formula fills arrays of up to three axes")); }
      std::array<std::int64_t, 3> extents{1, 1, 1};
      std::ranges::copy(array.extents, extents.end() - std::ssize(array.extents));
      std::int64_t element = 0;
      Expression(choice.formula).evaluateOver(extents, bindings, [&](double value) { elements.set(element++, value); });
      return;
    }
    case Pattern::Numbers: {
      const NumberTable& table = *choice.numbers;
      if (!holds(array.extents, table)) {
        elements.refuse(misfit(file, bindings, program.objects[id].name, array, choice));
      }
      const double scale = table.grey && isFloating(array.element) ? 1.0 / 255 : 1;
      for (std::size_t i = 0; i < table.values.size(); ++i) {
        elements.set(static_cast<std::int64_t>(i), scale * table.values[i]);
      }
      return;
    }
  }
}

[[noreturn]] void refuseName(const KernelFile& file, const Program& program, const std::string& name) {
  const std::vector<std::string> known = choosableArrays(file, program);
  throw InputError(trf("data of {}: {}; the arrays that can be chosen are {}", name,
                       file.computes && file.computes->output == name ? tr("the kernel writes this array")
                                                                      : trf("{} has no such array", file.id),
                       known.empty() ? tr("none") : fmt::format("{}", fmt::join(known, ", "))));
}

}  // namespace

bool canBeChosen(const KernelFile& file, const MemoryObject& object) {
  const bool provided = object.space == MemorySpace::Global || object.space == MemorySpace::Constant;
  return provided && object.element != ValueType::Pointer && !(file.computes && file.computes->output == object.name);
}

std::vector<std::string> choosableArrays(const KernelFile& file, const Program& program) {
  std::vector<std::string> names;
  for (const MemoryObject& object : program.objects) {
    if (canBeChosen(file, object)) { names.push_back(object.name); }
  }
  return names;
}

void fillChosen(const KernelFile& file, const Bindings& bindings, const Program& program,
                const inputs::ChosenData& chosen, Launch& launch) {
  for (const auto& [name, choice] : chosen) {
    const ObjectId id = program.findObject(name);
    if (id == kNone || !canBeChosen(file, program.objects[id])) { refuseName(file, program, name); }
    fillPattern(file, bindings, program, id, choice, launch);
    ChosenElements elements(name, launch.arrays[id]);
    for (const auto& [index, value] : choice.cells) { elements.set(elements.elementAt(index), value); }
  }
}

std::optional<Bindings> sizesThatFit(const KernelFile& file, const Bindings& bindings, const std::string& array,
                                     const NumberTable& table, const std::set<std::string>& fixed) {
  const ArrayDeclaration* const declaration = file.findArray(array);
  if (declaration == nullptr) { return std::nullopt; }
  struct Knob {
    std::string name;
    std::int64_t least, most;
  };
  std::vector<Knob> knobs;
  for (const SizeParameter& size : file.sizes) { knobs.push_back({size.name, size.minimum, size.maximum}); }
  for (const Tunable& tunable : file.tunables) { knobs.push_back({tunable.name, tunable.minimum, tunable.maximum}); }
  std::erase_if(knobs, [&](const Knob& knob) { return fixed.contains(knob.name); });

  Bindings trial = bindings;
  const auto extentsNow = [&] {
    std::vector<std::int64_t> extents;
    for (const Expression& extent : declaration->shape) { extents.push_back(extent.evaluateInteger(trial)); }
    return extents;
  };
  const auto fits = [&] { return holds(extentsNow(), table); };
  if (fits()) { return Bindings{}; }
  // One size or tunable: the array's length itself, or a small number, such as a filter's radius.
  constexpr std::int64_t kSmall = 256;
  for (const Knob& knob : knobs) {
    const auto fitsWith = [&](std::int64_t value) {
      if (value < knob.least || value > knob.most) { return false; }
      trial[knob.name] = value;
      return fits();
    };
    for (const std::int64_t extent : table.extents) {
      if (fitsWith(extent)) { return Bindings{{knob.name, extent}}; }
    }
    for (std::int64_t value = knob.least; value <= std::min(knob.most, knob.least + kSmall); ++value) {
      if (fitsWith(value)) { return Bindings{{knob.name, value}}; }
    }
    trial[knob.name] = bindings.at(knob.name);
  }
  // A size for each axis; a list is a single row.
  std::vector<std::int64_t> extents = table.extents;
  if (extents.size() == 1) { extents.insert(extents.begin(), declaration->shape.size() - 1, 1); }
  if (extents.size() != declaration->shape.size()) { return std::nullopt; }
  Bindings changed;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    const std::int64_t wanted = extents[axis];
    for (const Knob& knob : knobs) {
      if (extentsNow()[axis] == wanted) { break; }
      if (wanted < knob.least || wanted > knob.most || changed.contains(knob.name)) { continue; }
      const std::int64_t before = std::exchange(trial[knob.name], wanted);
      if (extentsNow()[axis] == wanted) {
        changed[knob.name] = wanted;
      } else {
        trial[knob.name] = before;
      }
    }
  }
  return fits() ? std::optional(changed) : std::nullopt;
}

inputs::ChosenData carryOver(const inputs::ChosenData& chosen, const KernelFile& file, const Bindings& bindings) {
  inputs::ChosenData carried;
  for (const auto& [name, choice] : chosen) {
    const ArrayDeclaration* const declaration = file.findArray(name);
    if (declaration == nullptr || (file.computes && file.computes->output == name)) { continue; }
    std::vector<std::int64_t> extents;
    for (const Expression& extent : declaration->shape) { extents.push_back(extent.evaluateInteger(bindings)); }
    const auto inside = [&](const ElementIndex& index) {
      return index.size() == extents.size() &&
             std::ranges::equal(index, extents, [](std::int64_t at, std::int64_t extent) { return at < extent; });
    };
    const bool fits = (choice.numbers == nullptr || holds(extents, *choice.numbers)) &&
                      (choice.at.empty() || inside(choice.at)) &&
                      std::ranges::all_of(choice.cells, [&](const auto& cell) { return inside(cell.first); });
    if (fits) { carried.emplace(name, choice); }
  }
  return carried;
}

std::string whyNotHeld(ValueType type, double value) {
  const auto [least, most] = heldBy(type);
  if (value < least || value > most) {
    return trf("{} does not fit in its type {} ({} to {})", inputs::typed(value), cppName(type), inputs::typed(least),
               inputs::typed(most));
  }
  if (!isFloating(type) && value != std::floor(value)) {
    return trf("{} is not a whole number, and its elements are of type {}", inputs::typed(value), cppName(type));
  }
  return {};
}

inputs::ElementIndex indexIn(const std::vector<std::int64_t>& extents, std::int64_t element) {
  inputs::ElementIndex index(extents.size(), 0);
  for (std::size_t axis = extents.size(); axis-- > 0;) {
    index[axis] = element % extents[axis];
    element /= extents[axis];
  }
  return index;
}

}  // namespace haloscope::experiment
