#include "opening/ArrayReach.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "language/Text.h"
#include "program/NumberText.h"

namespace haloscope::opening {

namespace {

/// Adds rows, or planes.
void grow(ArrayDeclaration& array, std::int64_t elements, const Bindings& bindings) {
  std::int64_t row = 1;
  for (std::size_t axis = 1; axis < array.shape.size(); ++axis) { row *= array.shape[axis].evaluateInteger(bindings); }
  row = std::max<std::int64_t>(row, 1);
  array.shape.front() = Expression(std::to_string((elements + row - 1) / row));
}

}  // namespace

void meetReach(LaunchDraft& draft) {
  if (draft.clues.executed != nullptr) { return; }
  const auto isAssumed = [&](const ArrayDeclaration& array) {
    return !draft.clues.overrides.bindings.contains(array.name);
  };
  for (const ArrayDeclaration& array : draft.file.arrays) {
    if (isAssumed(array)) { draft.file.assumedArrays.insert(array.name); }
  }
  // What is read from the new elements may be an index into another array.
  constexpr int kRounds = 3;
  std::map<std::string, std::int64_t> grown;
  for (int round = 0; round < kRounds; ++round) {
    bool more = false;
    for (const auto& [object, elements] : draft.tryLaunch().needed) {
      const auto array =
          std::ranges::find(draft.file.arrays, draft.program.objects[object].name, &ArrayDeclaration::name);
      if (array == draft.file.arrays.end() || !isAssumed(*array)) { continue; }
      const auto other = std::ranges::find_if(draft.file.arrays, [&](const ArrayDeclaration& one) {
        const std::int64_t has = draft.elementsOf(one.name);
        return one.shape.size() > 1 && has >= elements && has < 2 * elements;
      });
      if (other != draft.file.arrays.end()) {
        array->shape = other->shape;
      } else {
        grow(*array, elements, draft.file.defaults());
      }
      grown[array->name] = draft.elementsOf(array->name);
      more = true;
    }
    if (!more) { break; }
  }
  for (const auto& [name, elements] : grown) {
    draft.assume(
        trf("{} is given {} elements, because {} reaches so many at these sizes: the text does not say how many "
            "it has.",
            name, grouped(elements), draft.file.kernel));
  }
}

}  // namespace haloscope::opening
