#include "recording/OutputWrites.h"

#include <algorithm>
#include <iterator>

namespace haloscope::recording {

OutputWrites::OutputWrites(const Recording& recording, ObjectId object) : byThread_(recording.threadCount()) {
  for (std::size_t step = 0; step < recording.steps.size(); ++step) {
    for (const Change& change : recording.changesOf(step)) {
      if (change.kind != Change::Kind::Global || change.id != object) { continue; }
      byThread_[change.thread].push_back({static_cast<std::uint32_t>(step), change.index});
      writers_[change.index] = change.thread;
    }
  }
}

std::optional<std::int64_t> OutputWrites::of(std::uint32_t thread, std::size_t position) const {
  if (thread >= byThread_.size() || byThread_[thread].empty()) { return std::nullopt; }
  const std::vector<Write>& writes = byThread_[thread];
  // At position p the steps before p have been executed.
  const auto next = std::ranges::lower_bound(writes, position, {}, &Write::step);
  return next == writes.begin() ? next->element : std::prev(next)->element;
}

std::optional<std::uint32_t> OutputWrites::writer(std::int64_t element) const {
  const auto found = writers_.find(element);
  return found == writers_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace haloscope::recording
