#include "simt/RunningWarp.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace haloscope::simt {
namespace {

/// Iterations between two looks at a loop that may wait.
constexpr std::uint64_t kLook = 16;
/// After so many, a loop that counts its iterations is taken for one that waits, too.
constexpr std::uint64_t kMany = 4096;

std::vector<std::byte> copyOf(const std::byte* from, std::size_t bytes) { return {from, from + bytes}; }

}  // namespace

bool RunningWarp::spins() {
  const std::uint64_t iterations = top().iterations;
  const std::byte* const from = registers_[0] + layout_->variablesBegin;
  const std::size_t bytes = layout_->variablesEnd - layout_->variablesBegin;
  if (iterations % kLook == 0) {
    variables_ = copyOf(from, bytes);
    variablesOf_ = depth_;
    return iterations % kMany == 0;
  }
  return iterations % kLook == 1 && iterations > 1 && variablesOf_ == depth_ && variables_.size() == bytes &&
         (bytes == 0 || std::memcmp(variables_.data(), from, bytes) == 0);
}

void RunningWarp::setPosition(const LanePosition& position) {
  node = position.node;
  lanes_ = position.lanes;
  active_ = position.active;
  gone_ = position.gone;
  returned_ = position.returned;
  depth_ = position.depth;
  frames_ = position.frames;
}

void RunningWarp::push(LanePosition position, bool waits, bool spun) {
  strands_.push_back({std::move(position), copyOf(registers_[0], memory_.warpRegisterBytes()),
                      copyOf(registers_[1], memory_.sharedRegisterBytes()), waits, spun});
}

void RunningWarp::take(std::size_t strand) {
  const Strand taken = std::move(strands_[strand]);
  strands_.erase(strands_.begin() + static_cast<std::ptrdiff_t>(strand));
  setPosition(taken.position);
  std::ranges::copy(taken.own, registers_[0]);
  std::ranges::copy(taken.common, registers_[1]);
}

bool RunningWarp::yieldToLanes(std::uint32_t end) {
  const LaneMask others = lanes_ & ~exited_ & ~active_;
  if (others != 0) {
    LanePosition left = position();
    LanePosition own = left;
    left.keep(others);
    left.node = end;
    own.keep(active_);
    setPosition(own);
    push(std::move(left), /*waits=*/false, /*spun=*/false);
  }
  const auto next = std::ranges::find_if(strands_, [](const Strand& strand) { return !strand.waits && !strand.spun; });
  if (next == strands_.end()) {
    for (Strand& strand : strands_) { strand.spun = false; }
    return false;
  }
  const auto index = static_cast<std::size_t>(next - strands_.begin());
  push(position(), /*waits=*/false, /*spun=*/true);
  take(index);
  return true;
}

bool RunningWarp::gather() {
  const auto ready = std::ranges::find_if(strands_, [](const Strand& strand) { return !strand.waits; });
  if (ready != strands_.end()) {
    const auto index = static_cast<std::size_t>(ready - strands_.begin());
    push(position(), /*waits=*/true, /*spun=*/false);
    take(index);
    return false;
  }
  LanePosition all = position();
  std::erase_if(strands_, [&](const Strand& strand) {
    if (!strand.position.isWith(all)) { return false; }
    all.join(strand.position);
    for (const RegisterLayout::Slot& slot : layout_->slots) {
      const bool common = (slot.operand & kSharedOperand) != 0;
      const std::size_t offset = slot.operand & ~kSharedOperand;
      for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
        if ((strand.position.lanes >> lane & 1U) == 0) { continue; }
        const std::size_t at = offset + lane * slot.laneBytes;
        std::memcpy(registers_[common ? 1 : 0] + at, (common ? strand.common : strand.own).data() + at, slot.laneBytes);
      }
    }
    return true;
  });
  setPosition(all);
  return true;
}

bool RunningWarp::takeUpOthers() {
  if (strands_.empty()) { return false; }
  const auto ready = std::ranges::find_if(strands_, [](const Strand& strand) { return !strand.waits; });
  take(ready == strands_.end() ? 0 : static_cast<std::size_t>(ready - strands_.begin()));
  return true;
}

void RunningWarp::standBy() { common_ = copyOf(registers_[1], memory_.sharedRegisterBytes()); }

void RunningWarp::goOn() {
  if (common_.empty()) { return; }
  std::ranges::copy(common_, registers_[1]);
  common_.clear();
}

}  // namespace haloscope::simt
