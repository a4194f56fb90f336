#include "machine/Arena.h"

#include <fcntl.h>
#include <unistd.h>

namespace haloscope::machine {
namespace {

std::size_t pagesOf(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

}  // namespace

std::optional<std::uint64_t> Arena::take(std::size_t bytes) {
  const std::size_t guard = pagesOf(1);
  const std::size_t room = pagesOf(bytes) + guard;
  const std::lock_guard lock(mutex_);
  std::uint64_t place = guard;
  for (const auto& [begin, size] : taken_) {
    if (begin - place >= room) { break; }
    place = begin + size;
  }
  if (place + room > memory_.bytes().size()) { return std::nullopt; }
  taken_.emplace(place, room);
  return place;
}

void Arena::give(std::uint64_t place) {
  const std::lock_guard lock(mutex_);
  const auto found = taken_.find(place);
  if (found == taken_.end()) { return; }
  // Zeroed for the next one, and the system has its pages back.
  fallocate(memory_.file(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(place),
            static_cast<off_t>(found->second));
  taken_.erase(found);
}

}  // namespace haloscope::machine
