#include "host/EarlyAccesses.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <span>

#include "host/RuntimeCall.h"

namespace haloscope::host::runtime {

namespace {

constexpr std::uint64_t kPageBytes = 4096;
/// Each takes microseconds, and tens of them on a virtual machine.
constexpr std::size_t kMostWatched = 10'000;
#if defined(__x86_64__)
constexpr bool kWatches = true;
#else
constexpr bool kWatches = false;
#endif

/// Handlers of several threads add to it, and nothing in it may allocate.
struct Table {
  std::atomic_flag locked;
  std::array<EarlyRun, 4096> runs;
  std::size_t count = 0, taken = 0;
  std::size_t watched = 0;
};
Table table;

/// The pages that this thread's instruction has opened: it may read one and write another.
struct OpenedPages {
  std::array<std::uint64_t, 4> pages{};
  std::size_t count = 0;
};
thread_local OpenedPages openedPages;

HostBlock* blockAt(std::uint64_t address) {
  const auto block = std::ranges::find_if(state().blocks, [&](const HostBlock& one) {
    return one.mapped && address >= addressOf(one.data) && address < addressOf(one.data) + one.bytes;
  });
  return block == state().blocks.end() ? nullptr : &*block;
}

void allow(std::uint64_t page, int access) { mprotect(reinterpret_cast<void*>(page), kPageBytes, access); }

/// Whether a run has the access already, or can be continued by it.
bool takes(EarlyRun& run, std::uint64_t address) {
  if (address >= run.address && address <= run.address + run.step * (run.count - 1) &&
      (address - run.address) % run.step == 0) {
    return true;
  }
  if (run.count == 1) { run.step = std::max(address, run.address) - std::min(address, run.address); }
  if (address != run.address + run.step * run.count && address + run.step != run.address) { return false; }
  run.address = std::min(run.address, address);
  ++run.count;
  return true;
}

bool isSame(const process::TextPlace& one, const process::TextPlace& other) {
  return one.line == other.line && (one.file == other.file || (one.file != nullptr && other.file != nullptr &&
                                                               std::strcmp(one.file, other.file) == 0));
}

/// False: there is no room for it.
bool note(const HostBlock& block, const HostAccess& access, const process::TextPlace& at) {
  constexpr std::size_t kMostLookedAt = 32;
  const std::uint64_t begin = addressOf(block.data);
  const std::size_t first = std::max(table.taken, table.count - std::min(table.count, kMostLookedAt));
  for (std::size_t i = table.count; i-- > first;) {
    EarlyRun& run = table.runs[i];
    const bool ofBlock = run.address >= begin && run.address < begin + block.bytes;
    if (ofBlock && run.code == access.code && isSame(run.at, at) && takes(run, access.address)) { return true; }
  }
  if (table.count == table.runs.size()) { return false; }
  table.runs[table.count++] = {.address = access.address, .writes = access.writes, .code = access.code, .at = at};
  return true;
}

}  // namespace

EarlyLock::EarlyLock() {
  while (table.locked.test_and_set(std::memory_order_acquire)) {}
}
EarlyLock::~EarlyLock() { table.locked.clear(std::memory_order_release); }

Early beginEarlyAccess(HostAccess access, process::TextPlace (*at)()) {
  if (blockAt(access.address) == nullptr) { return Early::Not; }
  const process::TextPlace place = at();
  const EarlyLock lock;
  const HostBlock* const block = blockAt(access.address);
  if (block == nullptr) { return Early::Not; }
  const std::uint64_t page = access.address / kPageBytes * kPageBytes;
  allow(page, PROT_READ | PROT_WRITE);
  if (block->use == KernelUse::None) { return Early::Noted; }
  // Where it may be read, an access that fails is no reading.
  access.writes = access.writes || block->use == KernelUse::Reads;
  const bool noted = note(*block, access, place);
  if (!kWatches || !noted || table.watched == kMostWatched || openedPages.count == openedPages.pages.size()) {
    return Early::Noted;
  }
  ++table.watched;
  openedPages.pages[openedPages.count++] = page;
  return Early::Watched;
}

bool endEarlyAccess() {
  if (openedPages.count == 0) { return false; }
  const EarlyLock lock;
  for (const std::uint64_t page : std::span(openedPages.pages).first(openedPages.count)) {
    if (const HostBlock* const block = blockAt(page)) { allow(page, block->access()); }
  }
  openedPages.count = 0;
  return true;
}

std::optional<EarlyRun> takeEarlyRun() {
  const EarlyLock lock;
  if (table.taken == table.count) {
    table.taken = table.count = 0;
    return std::nullopt;
  }
  return table.runs[table.taken++];
}

}  // namespace haloscope::host::runtime
