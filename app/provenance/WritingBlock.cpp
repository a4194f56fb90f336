#include "provenance/WritingBlock.h"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>

#include "simt/Executor.h"
#include "simt/Observer.h"

namespace haloscope::provenance {
namespace {

using simt::MemoryAccess;
using simt::WarpContext;

/// Looks for the block that stores to one element.
class WriterFinder final : public simt::Observer {
 public:
  WriterFinder(ObjectId object, std::int64_t element) : object_(object), element_(element) {}

  [[nodiscard]] Wants wants() const override { return {.statements = false, .instructions = false, .accesses = true}; }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override {
    return std::make_unique<WriterFinder>(object_, element_);
  }
  void join(Observer& worker) override { block_ = std::max(block_, static_cast<WriterFinder&>(worker).block_); }

  void access(const WarpContext& context, const MemoryAccess& access) override {
    if (!access.store || access.object != object_) { return; }
    for (LaneMask lanes = access.lanes; lanes != 0; lanes &= lanes - 1) {
      if (access.index[static_cast<std::size_t>(std::countr_zero(lanes))] == element_) {
        block_ = std::max(block_, std::optional(context.blockLinear));
      }
    }
  }

  [[nodiscard]] std::optional<std::uint64_t> block() const { return block_; }

 private:
  ObjectId object_;
  std::int64_t element_;
  std::optional<std::uint64_t> block_;
};

}  // namespace

std::optional<Dim3> blockWriting(const Program& program, Launch launch, ObjectId object, std::int64_t element,
                                 const std::stop_token& stop) {
  WriterFinder finder(object, element);
  const std::array<simt::Observer*, 1> observers{&finder};
  simt::ExecuteOptions options;
  options.stop = stop;
  simt::execute(program, launch, observers, options);
  return finder.block() ? std::optional(unlinear(*finder.block(), launch.configuration.grid)) : std::nullopt;
}

}  // namespace haloscope::provenance
