#include <bit>
#include <utility>

#include <fmt/format.h>

#include "language/Text.h"
#include "simt/BlockRunner.h"

// Accesses outside their arrays: counted, described and passed on.

namespace haloscope::simt {
namespace {

/// Beyond the objects that a MapShared can name.
constexpr ObjectId kMaxMapped = 0xffff;

}  // namespace

LaneMask BlockRunner::unmappedLanes(const OutOfBounds& fault) const {
  if (launch_.mapped.empty()) { return 0; }
  if (fault.object == kNone) { return fault.lanes; }
  const std::optional<ByteRange>& mapped = launch_.mapped.at(fault.object);
  if (!mapped) { return 0; }
  const int size = sizeInMemory(decoded_.program->code[fault.instruction].type);
  LaneMask unmapped = 0;
  for (LaneMask rest = fault.lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const std::int64_t offset = fault.index[static_cast<std::size_t>(lane)] * size;
    if (offset < mapped->begin || offset >= mapped->end) { unmapped |= LaneMask{1} << lane; }
  }
  return unmapped;
}

void BlockRunner::outOfBounds(OutOfBounds& fault) {
  const std::size_t objects = decoded_.program->objects.size();
  if (fault.object != kNone) {
    fault.rank = takeRank(fault.object);
  } else if (!cluster_.empty() && objects != 0 && fault.named / objects > cluster_.size() && fault.named < kMaxMapped) {
    fault.object = fault.named;
    fault.rank = takeRank(fault.object);
    const int size = sizeInMemory(decoded_.program->code[fault.instruction].type);
    for (std::int64_t& index : fault.index) {
      const auto bytes = static_cast<std::uint64_t>(index) * static_cast<std::uint64_t>(size) + PackedPointer::kNull;
      index = PackedPointer::byteOffset(bytes) / size;
    }
  }
  fault.unmapped = unmappedLanes(fault);
  outOfBounds_ += static_cast<std::uint64_t>(std::popcount(fault.lanes));
  unmapped_ += static_cast<std::uint64_t>(std::popcount(fault.unmapped));
  Fault found{.mapped = fault.unmapped == 0, .order = order_, .message = {}, .where = {}};
  if (found.isBefore(firstFault_)) {
    found.message = describe(fault);
    found.where = decoded_.program->code[fault.instruction].range;
    firstFault_ = std::move(found);
  }
  const WarpContext context = contextOf(*running_, running_->active());
  for (Observer* observer : notifier_.all()) { observer->outOfBounds(context, fault); }
}

std::string BlockRunner::describe(const OutOfBounds& fault) const {
  const int lane = std::countr_zero(fault.unmapped != 0 ? fault.unmapped : fault.lanes);
  const std::int64_t index = fault.index[lane];
  const std::string who = trf("{} by thread {} of {}", fault.store ? tr("written") : tr("read"),
                              text(running_->threadIdx(lane)), describeBlock());
  if (fault.rank != kNone && fault.rank >= cluster_.size()) {
    return trf("{}[{}] of the block of rank {} in the cluster is {}: the cluster has {} blocks",
               decoded_.program->objects[fault.object].name, index, fault.rank, who, cluster_.size());
  }
  if (fault.object == kNone) { return tr("a pointer that does not point into an array, ") + who; }
  const std::string& array = decoded_.program->objects[fault.object].name;
  const int size = sizeInMemory(decoded_.program->code[fault.instruction].type);
  const auto count = static_cast<std::int64_t>(context_.objects[fault.object].bytes) / size;
  if (count == 0) { return trf("{0}[{1}] is outside {0}, which is empty, {2}", array, index, who); }
  if (index >= 0 && index < count) { return trf("{}[{}] is accessed at a misaligned address, {}", array, index, who); }
  return trf("{0}[{1}] is outside {0}[0..{2}], {3}", array, index, count - 1, who);
}

}  // namespace haloscope::simt
