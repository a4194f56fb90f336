#include "running/ClaimedNames.h"

#include <filesystem>
#include <utility>

#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope::running {

namespace {

constexpr std::size_t kMaxNameBytes = 64 << 10;
constexpr std::size_t kLongName = 1 << 10;
constexpr std::size_t kMostLongNameBytes = 256 << 20;  ///< of all names that are longer

/// A text ends at most a line after its last one, where the compiler misses what should follow.
bool isIn(const HostHalf& half, const host::HostPlace& at) {
  const auto file = half.lines.find(at.file);
  return file != half.lines.end() && !file->second.empty() && at.line > 0 && at.line <= file->second.back() + 1;
}

}  // namespace

host::HostPlace ClaimedNames::place(host::HostPlace at, const HostHalf& compiled) const {
  constexpr std::size_t kMostBytes = 4096;
  if (at.file.size() > kMostBytes) { return {}; }
  // A header may be included by a way round.
  if (!half_.lines.contains(at.file)) { at.file = std::filesystem::path(at.file).lexically_normal().string(); }
  if (!isIn(compiled, at)) { return {}; }
  at = placeIn(half_, compiled, std::move(at));
  return isIn(half_, at) ? at : host::HostPlace();
}

void ClaimedNames::check(const std::string& name) {
  if (name.size() > kLongName) { longNameBytes_ += name.size(); }
  if (name.size() > kMaxNameBytes || longNameBytes_ > kMostLongNameBytes) {
    throw InputError(tr("the host process sent names that are too long"));
  }
}

}  // namespace haloscope::running
