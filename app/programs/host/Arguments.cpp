#include "host/Arguments.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <new>

namespace haloscope::host {

namespace {

/// What a handler knows; without a constructor that runs.
struct {
  std::uintptr_t argv = 0, guard = 0;
  std::size_t guardBytes = 0;
  std::uint32_t missed = 0;
} guarded;

}  // namespace

char** guardedArguments(std::vector<std::string>& texts) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t bytes = texts.size() * sizeof(char*);
  const std::size_t room = (bytes + page - 1) / page * page;
  void* const begin = mmap(nullptr, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (begin == MAP_FAILED) { throw std::bad_alloc(); }
  auto* const guard = static_cast<std::byte*>(begin) + room;
  auto** const argv = reinterpret_cast<char**>(guard - bytes);
  for (std::size_t i = 0; i < texts.size(); ++i) { argv[i] = texts[i].data(); }
  if (mprotect(guard, page, PROT_NONE) == 0) {
    guarded = {.argv = reinterpret_cast<std::uintptr_t>(argv),
               .guard = reinterpret_cast<std::uintptr_t>(guard),
               .guardBytes = page};
  }
  return argv;
}

bool readsMissedArgument(std::uintptr_t address) {
  if (address < guarded.guard || address >= guarded.guard + guarded.guardBytes || guarded.missed != 0) { return false; }
  guarded.missed = static_cast<std::uint32_t>((address - guarded.argv) / sizeof(char*));
  return mprotect(reinterpret_cast<void*>(guarded.guard), guarded.guardBytes, PROT_READ | PROT_WRITE) == 0;
}

std::uint32_t missedArgument() { return guarded.missed; }

}  // namespace haloscope::host
