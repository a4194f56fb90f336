#include "provenance/WritingBlock.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <utility>

#include "simt/Executor.h"
#include "simt/Observer.h"

namespace haloscope::provenance {
namespace {

using simt::MemoryAccess;
using simt::WarpContext;

/// Looks for the block that stores to one element.
class WriterFinder final : public simt::Observer {
 public:
  struct Write {
    std::uint64_t block = 0;
    std::uint32_t instruction = 0, thread = 0;
  };

  WriterFinder(ObjectId object, std::int64_t element) : object_(object), element_(element) {}

  [[nodiscard]] Wants wants() const override { return {.statements = false, .instructions = false, .accesses = true}; }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override {
    return std::make_unique<WriterFinder>(object_, element_);
  }
  void join(Observer& worker) override { take(static_cast<WriterFinder&>(worker).last_); }

  void access(const WarpContext& context, const MemoryAccess& access) override {
    if (!access.store || access.object != object_) { return; }
    for (LaneMask lanes = access.lanes; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
      if (access.index[lane] == element_) {
        take(Write{context.blockLinear, access.instruction,
                   context.warp * static_cast<std::uint32_t>(kWarpSize) + lane});
      }
    }
  }

  [[nodiscard]] std::optional<Write> last() const { return last_; }

 private:
  /// Of one block the accesses come in the order of their time.
  void take(const std::optional<Write>& write) {
    if (write && (!last_ || write->block >= last_->block)) { last_ = write; }
  }

  ObjectId object_;
  std::int64_t element_;
  std::optional<Write> last_;
};

std::optional<WriterFinder::Write> lastWrite(const Program& program, Launch launch, ObjectId object,
                                             std::int64_t element, const std::stop_token& stop) {
  WriterFinder finder(object, element);
  const std::array<simt::Observer*, 1> observers{&finder};
  simt::ExecuteOptions options;
  options.stop = stop;
  simt::execute(program, launch, observers, options);
  return finder.last();
}

}  // namespace

std::optional<Writer> writerOf(const Program& program, Launch launch, ObjectId object, std::int64_t element,
                               const std::stop_token& stop) {
  const LaunchConfiguration launched = launch.configuration;
  const auto last = lastWrite(program, std::move(launch), object, element, stop);
  if (!last) { return std::nullopt; }
  return Writer{unlinear(last->block, launched.grid), unlinear(last->thread, launched.block)};
}

std::optional<Dim3> blockWriting(const Program& program, Launch launch, ObjectId object, std::int64_t element,
                                 const std::stop_token& stop) {
  const auto writer = writerOf(program, std::move(launch), object, element, stop);
  return writer ? std::optional(writer->block) : std::nullopt;
}

std::optional<SourceRange> storeTo(const Program& program, Launch launch, ObjectId object, std::int64_t element,
                                   const std::stop_token& stop) {
  if (const auto last = lastWrite(program, std::move(launch), object, element, stop)) {
    return program.code[last->instruction].range;
  }
  const auto stores = [&](const Instruction& one) { return writesMemory(one.op) && one.aux == object; };
  const auto first = std::ranges::find_if(program.code, stores);
  return first == program.code.end() ? std::nullopt : std::optional(first->range);
}

}  // namespace haloscope::provenance
