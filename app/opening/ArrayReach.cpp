#include "opening/ArrayReach.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "experiment/InputData.h"
#include "language/Text.h"
#include "program/NumberText.h"
#include "simt/Executor.h"
#include "simt/Observer.h"

namespace haloscope::opening {

namespace {

/// More is no array that a kernel is meant to have, but an index gone astray.
constexpr std::int64_t kMostElements = 4'000'000;

/// How many elements an array needs to have, so that no access is behind its end.
class Reach final : public simt::Observer {
 public:
  explicit Reach(const Program& program) : program_(program) {}

  [[nodiscard]] Wants wants() const override { return {}; }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override { return std::make_unique<Reach>(program_); }
  void join(Observer& worker) override {
    for (const auto& [object, elements] : static_cast<Reach&>(worker).needed_) {
      needed_[object] = std::max(needed_[object], elements);
    }
  }
  void outOfBounds(const simt::WarpContext& /*context*/, const simt::OutOfBounds& fault) override {
    if (fault.object == kNone) { return; }
    const std::int64_t size = sizeInMemory(program_.objects[fault.object].element);
    const std::int64_t bytes = sizeInMemory(program_.code[fault.instruction].type);
    for (LaneMask lanes = fault.lanes & ~fault.misaligned; lanes != 0; lanes &= lanes - 1) {
      const std::int64_t index = fault.index[static_cast<std::size_t>(std::countr_zero(lanes))];
      if (index < 0 || index > kMostElements * size) { continue; }
      needed_[fault.object] = std::max(needed_[fault.object], ((index + 1) * bytes + size - 1) / size);
    }
  }

  [[nodiscard]] const std::map<ObjectId, std::int64_t>& needed() const { return needed_; }

 private:
  const Program& program_;
  std::map<ObjectId, std::int64_t> needed_;
};

std::map<ObjectId, std::int64_t> neededBy(const LaunchDraft& draft) {
  Reach reach(draft.program);
  try {
    const Bindings bindings = draft.file.defaults();
    const std::uint64_t blocks = draft.file.configuration(bindings).grid.count();
    constexpr std::uint64_t kMostBlocks = 20'000;
    if (blocks > kMostBlocks) { return {}; }
    Launch launch = experiment::makeLaunch(draft.file, bindings, draft.program, experiment::InputKind::Random);
    simt::ExecuteOptions options;
    options.instructionBudget = std::clamp<std::uint64_t>(20'000'000 / blocks, 1000, 100'000);
    simt::Observer* const observer = &reach;
    static_cast<void>(simt::execute(draft.program, launch, {&observer, 1}, options));
  } catch (const UserError&) { return {}; }
  return reach.needed();
}

/// With rows and planes as before: more of them.
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
  // What was read beyond an array may have been an index of another one.
  constexpr int kRounds = 3;
  std::map<std::string, std::int64_t> grown;
  for (int round = 0; round < kRounds; ++round) {
    bool more = false;
    for (const auto& [object, elements] : neededBy(draft)) {
      const auto array =
          std::ranges::find(draft.file.arrays, draft.program.objects[object].name, &ArrayDeclaration::name);
      if (array == draft.file.arrays.end() || !isAssumed(*array) || elements > kMostElements) { continue; }
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
