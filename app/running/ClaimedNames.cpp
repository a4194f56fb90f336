#include "running/ClaimedNames.h"

#include <algorithm>

#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope::running {

namespace {

constexpr std::size_t kMaxNameBytes = 64 << 10;
constexpr std::size_t kLongName = 1 << 10;
constexpr std::size_t kMostLongNameBytes = 256 << 20;  ///< of all names that are longer

}  // namespace

host::HostPlace ClaimedNames::place(host::HostPlace at) {
  constexpr std::size_t kMostOthers = 64, kMostBytes = 1024;
  const bool own = program_.headers.contains(at.file) ||
                   std::ranges::find(program_.files, at.file, &host::HostProgram::File::name) != program_.files.end();
  if (own || otherFiles_.contains(at.file)) { return at; }
  if (otherFiles_.size() >= kMostOthers || at.file.size() > kMostBytes) { return {}; }
  otherFiles_.insert(at.file);
  return at;
}

void ClaimedNames::check(const std::string& name) {
  if (name.size() > kLongName) { longNameBytes_ += name.size(); }
  if (name.size() > kMaxNameBytes || longNameBytes_ > kMostLongNameBytes) {
    throw InputError(tr("the host process sent names that are too long"));
  }
}

}  // namespace haloscope::running
