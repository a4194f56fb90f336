#include "opening/ArrayReach.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "experiment/InputData.h"
#include "language/Text.h"
#include "program/NumberText.h"
#include "simt/Executor.h"
#include "simt/Observer.h"

namespace haloscope::opening {

namespace {

/// Which elements the threads of one block store to.
class Stores final : public simt::Observer {
 public:
  explicit Stores(const Program& program) : program_(program) {}

  [[nodiscard]] Wants wants() const override { return {.accesses = true}; }
  [[nodiscard]] bool listensTo(std::uint32_t instruction) const override {
    return program_.code[instruction].op == Opcode::Store;
  }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override { return std::make_unique<Stores>(program_); }
  void join(Observer& worker) override { elements_.merge(static_cast<Stores&>(worker).elements_); }
  void access(const simt::WarpContext& context, const simt::MemoryAccess& access) override {
    if (program_.objects[access.object].space != MemorySpace::Global) { return; }
    for (LaneMask lanes = access.lanes; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
      elements_.try_emplace(context.warp * kWarpSize + lane, access.index[lane]);
    }
  }

  /// By how many elements the stores of neighbours along y are apart, if by as many everywhere.
  [[nodiscard]] std::optional<std::int64_t> pitch(std::uint32_t blockX) const {
    std::optional<std::int64_t> pitch;
    for (const auto& [thread, element] : elements_) {
      const auto below = elements_.find(thread + blockX);
      if (below == elements_.end()) { continue; }
      if (pitch.value_or(below->second - element) != below->second - element) { return std::nullopt; }
      pitch = below->second - element;
    }
    return pitch && *pitch > 1 ? pitch : std::nullopt;
  }

 private:
  const Program& program_;
  std::map<std::uint32_t, std::int64_t> elements_;  ///< by the thread, linear in the block: its first store
};

/// The length of the rows of a plane, as the kernel computes it.
std::optional<std::int64_t> rowLength(const LaunchDraft& draft) {
  if (draft.rank != 2) { return std::nullopt; }
  Stores stores(draft.program);
  try {
    const Bindings bindings = draft.file.defaults();
    Launch launch = experiment::makeLaunch(draft.file, bindings, draft.program, experiment::InputKind::Random);
    constexpr std::uint64_t kBudget = 100'000;
    const simt::ExecuteOptions options{.onlyBlocks = {launch.configuration.grid.count() / 2},
                                       .instructionBudget = kBudget};
    simt::Observer* const observer = &stores;
    static_cast<void>(simt::execute(draft.program, launch, {&observer, 1}, options));
    return stores.pitch(launch.configuration.block.x);
  } catch (const UserError&) { return std::nullopt; }
}

/// Adds rows, or planes; `row`: of a plane, if it is known.
void grow(ArrayDeclaration& array, std::int64_t elements, std::optional<std::int64_t> row, const Bindings& bindings) {
  if (array.shape.size() == 2 && row) { array.shape.back() = Expression(std::to_string(*row)); }
  std::int64_t slice = 1;
  for (std::size_t axis = 1; axis < array.shape.size(); ++axis) {
    slice *= array.shape[axis].evaluateInteger(bindings);
  }
  slice = std::max<std::int64_t>(slice, 1);
  array.shape.front() = Expression(std::to_string((elements + slice - 1) / slice));
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
  std::optional<std::int64_t> row;
  for (int round = 0; round < kRounds; ++round) {
    bool more = false;
    for (const auto& [object, elements] : draft.tryLaunch().needed) {
      const auto array =
          std::ranges::find(draft.file.arrays, draft.program.objects[object].name, &ArrayDeclaration::name);
      if (array == draft.file.arrays.end() || !isAssumed(*array)) { continue; }
      if (!row) { row = rowLength(draft); }
      const auto other = std::ranges::find_if(draft.file.arrays, [&](const ArrayDeclaration& one) {
        const std::int64_t has = draft.elementsOf(one.name);
        return one.shape.size() > 1 && has >= elements && has < 2 * elements;
      });
      if (other != draft.file.arrays.end()) {
        array->shape = other->shape;
      } else {
        grow(*array, elements, row, draft.file.defaults());
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
