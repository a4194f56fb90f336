#include "running/UnsetConstants.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>

#include "language/Text.h"
#include "running/LaunchExecution.h"
#include "simt/Executor.h"

namespace haloscope::running {

namespace {

constexpr std::uint64_t kBlocks = 4;
constexpr std::uint64_t kReadBudget = 20'000'000;  // warp instructions
constexpr std::uint64_t kSizeOfPointer = 8;

/// How many bytes of an object are read, from the first to the last that is.
class ReadExtent final : public simt::Observer {
 public:
  ReadExtent(const Program& program, ObjectId object) : program_(program), object_(object) {}

  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

  [[nodiscard]] Wants wants() const override { return {.accesses = true}; }
  [[nodiscard]] bool listensTo(std::uint32_t instruction) const override {
    const Instruction& code = program_.code[instruction];
    return readsMemory(code.op) && (code.aux == kNone || code.aux == object_);
  }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override {
    return std::make_unique<ReadExtent>(program_, object_);
  }
  void join(Observer& worker) override { bytes_ = std::max(bytes_, static_cast<ReadExtent&>(worker).bytes_); }
  void access(const simt::WarpContext& /*context*/, const simt::MemoryAccess& access) override {
    if (access.object != object_) { return; }
    for (LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
      const std::int64_t index = access.index[static_cast<std::size_t>(std::countr_zero(rest))];
      bytes_ = std::max(bytes_, static_cast<std::uint64_t>((index + 1) * sizeInMemory(access.element)));
    }
  }

 private:
  const Program& program_;
  ObjectId object_;
  std::uint64_t bytes_ = 0;
};

std::uint64_t readBytes(const BoundLaunch& bound, ObjectId object) {
  Launch again = bound.launch;
  ReadExtent extent(*bound.program, object);
  simt::ExecuteOptions options;
  options.onlyBlocks = representativeBlocks(again.configuration.grid, kBlocks);
  options.launchBudget = kReadBudget;
  static_cast<void>(simt::execute(*bound.program, again, std::array<simt::Observer*, 1>{&extent}, options));
  return extent.bytes();
}

/// Whether a variable still holds the zeros that it begins with.
bool isZero(const ArrayData& array) {
  return array.elementCount() > 1 &&
         std::ranges::all_of(array.bytes, [](std::byte one) { return one == std::byte{0}; });
}

}  // namespace

void UnsetConstants::launched(ProgramLaunch& launch, const BoundLaunch& bound) {
  for (const auto& [object, allocation] : bound.allocations) {
    const Allocation& variable = memory_.at(allocation);
    // One that is initialised is meant to hold that, even zeros.
    const bool initialised = !bound.program->objects[object].initial.empty();
    if (!variable.constant || initialised || object >= launch.loaded.size() || !launch.loaded[object]) { continue; }
    if (variable.filled == 0 && isZero(bound.launch.arrays[object])) {
      launch.lacksConstants = true;
      findings_.add(HostFindingKind::ConstantNotSet, launch.at,
                    trf("{} reads the constant {}, which was never copied to: all its elements are zero. "
                        "cudaMemcpyToSymbol({}, …) is missing before this launch.",
                        launch.kernel, variable.name, variable.name));
    } else if (variable.filled > 0 && variable.filled < variable.size) {
      findPart(launch, bound, object, variable);
    }
  }
}

void UnsetConstants::findPart(ProgramLaunch& launch, const BoundLaunch& bound, ObjectId object,
                              const Allocation& variable) {
  const auto [known, isNew] = read_.try_emplace({launch.symbol, variable.id, variable.filled});
  if (isNew) { known->second = readBytes(bound, object); }
  const std::uint64_t read = known->second;
  const std::uint64_t element = static_cast<std::uint64_t>(sizeInMemory(bound.program->objects[object].element));
  const std::uint64_t copied = variable.filled;
  const bool counted = copied * element == read || copied * element == variable.size;
  // Otherwise the rest may be zero on purpose.
  if (read <= copied || (!counted && copied != kSizeOfPointer)) { return; }
  launch.lacksConstants = true;
  findings_.add(counted ? HostFindingKind::ElementsAsBytes : HostFindingKind::CopySize, variable.filledAt,
                trf("Copies {} to the constant {}, of which {} (line {}) reads {}: the rest is zero. {}.",
                    bytesText(copied), variable.name, launch.kernel, launch.at.line, bytesText(read),
                    counted ? trf("The size is in bytes, and this is the number of elements of {} bytes; multiply "
                                  "it by the size of one",
                                  element)
                            : tr("This is the size of a pointer, not of what it points to")));
}

}  // namespace haloscope::running
