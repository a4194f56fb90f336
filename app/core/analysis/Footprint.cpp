#include "analysis/Footprint.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

namespace haloscope::analysis {
namespace {

void sortAndDropRepeats(std::vector<std::int64_t>& indices) {
  std::ranges::sort(indices);
  const auto repeats = std::ranges::unique(indices);
  indices.erase(repeats.begin(), repeats.end());
}

/// Adds the elements of a sorted list to a sorted list.
void mergeInto(std::vector<std::int64_t>& all, const std::vector<std::int64_t>& more) {
  std::vector<std::int64_t> merged;
  merged.reserve(all.size() + more.size());
  std::ranges::set_union(all, more, std::back_inserter(merged));
  all = std::move(merged);
}

}  // namespace

FootprintObserver::FootprintObserver(const Program& program) : objects_(program.objects.size()) {}

std::unique_ptr<simt::Observer> FootprintObserver::fork() const {
  auto fork = std::make_unique<FootprintObserver>(*this);
  fork->objects_.assign(objects_.size(), {});
  return fork;
}

void FootprintObserver::Elements::tidy() {
  sortAndDropRepeats(loaded);
  sortAndDropRepeats(stored);
  tidied = loaded.size() + stored.size();
}

void FootprintObserver::join(Observer& worker) {
  std::vector<Elements>& others = static_cast<FootprintObserver&>(worker).objects_;
  for (std::size_t object = 0; object < objects_.size(); ++object) {
    others[object].tidy();
    mergeInto(objects_[object].loaded, others[object].loaded);
    mergeInto(objects_[object].stored, others[object].stored);
  }
}

void FootprintObserver::blockEnds(const Dim3&, std::uint64_t) {
  constexpr std::size_t kWorthIt = 1 << 16;  // repeats take memory, sorting after every block takes time
  for (Elements& object : objects_) {
    if (object.loaded.size() + object.stored.size() > 2 * object.tidied + kWorthIt) { object.tidy(); }
  }
}

void FootprintObserver::access(const simt::WarpContext&, const simt::MemoryAccess& access) {
  if (access.space != MemorySpace::Global) { return; }
  Elements& object = objects_[access.object];
  std::vector<std::int64_t>& indices = access.store ? object.stored : object.loaded;
  for (LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
    indices.push_back(access.index[static_cast<std::size_t>(std::countr_zero(rest))]);
  }
}

double FootprintObserver::haloFraction(ObjectId input, ObjectId output) const {
  if (input == kNone || output == kNone || loaded(input).empty()) { return 0.0; }
  std::vector<std::int64_t> own;
  std::ranges::set_intersection(loaded(input), stored(output), std::back_inserter(own));
  return 1.0 - static_cast<double>(own.size()) / static_cast<double>(loaded(input).size());
}

}  // namespace haloscope::analysis
