#include "host/HostHeap.h"

#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "host/Runtime.h"

namespace haloscope::host {

namespace {

/// The program's blocks of memory by address.
struct Heap {
  std::mutex mutex;
  struct Block {
    std::size_t bytes = 0;
    std::uint64_t number = 0;  ///< of allocations
  };
  std::map<std::uintptr_t, Block> blocks;
  std::uint64_t allocations = 0;
  std::function<void(std::span<const std::byte>)> freed;  ///< null: nothing is watched
};
Heap& heap() {
  static Heap one;
  return one;
}

void* noted(void* block, std::size_t bytes) {
  if (block != nullptr && heap().freed) {
    const std::lock_guard lock(heap().mutex);
    heap().blocks[reinterpret_cast<std::uintptr_t>(block)] = {.bytes = bytes, .number = ++heap().allocations};
  }
  return block;
}

void forget(void* block) {
  if (block == nullptr || !heap().freed) { return; }
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  if (const auto bytes = heapBlockAt(address); !bytes.empty()) { heap().freed(bytes); }
  const std::lock_guard lock(heap().mutex);
  heap().blocks.erase(address);
}

void* allocateBytes(std::size_t bytes) { return noted(std::malloc(bytes), bytes); }
void* allocateZeros(std::size_t count, std::size_t bytes) { return noted(std::calloc(count, bytes), count * bytes); }
void* reallocate(void* block, std::size_t bytes) {
  checkHostFree(block, "realloc()");
  forget(block);
  return noted(std::realloc(block, bytes), bytes);
}
void* allocateAligned(std::size_t alignment, std::size_t bytes) {
  return noted(std::aligned_alloc(alignment, bytes), bytes);
}
int allocateAlignedAt(void** block, std::size_t alignment, std::size_t bytes) {
  const int error = posix_memalign(block, alignment, bytes);
  if (error == 0) { noted(*block, bytes); }
  return error;
}
void freeBlock(void* block) {
  checkHostFree(block, "free()");
  forget(block);
  std::free(block);
}
void deleteSized(void* block, std::size_t) { deleteBlock(block); }

template <typename Function>
void* allocator(Function* function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace

GuestSymbols heapSymbols() {
  return {
      {"malloc", allocator(allocateBytes)}, {"calloc", allocator(allocateZeros)},
      {"realloc", allocator(reallocate)},   {"aligned_alloc", allocator(allocateAligned)},
      {"free", allocator(freeBlock)},       {"posix_memalign", allocator(allocateAlignedAt)},
      {"_Znwm", allocator(newBlock)},       {"_Znam", allocator(newBlock)},
      {"_ZdlPv", allocator(deleteBlock)},   {"_ZdaPv", allocator(deleteBlock)},
      {"_ZdlPvm", allocator(deleteSized)},  {"_ZdaPvm", allocator(deleteSized)},
  };
}

void watchHeap(std::function<void(std::span<const std::byte>)> freed) { heap().freed = std::move(freed); }
void endWatchingHeap() { heap().freed = nullptr; }

std::span<const std::byte> heapBlockAt(std::uintptr_t address) {
  const std::lock_guard lock(heap().mutex);
  auto next = heap().blocks.upper_bound(address);
  if (next == heap().blocks.begin()) { return {}; }
  const auto& [begin, block] = *--next;
  if (address >= begin + block.bytes) { return {}; }
  return {reinterpret_cast<const std::byte*>(begin), block.bytes};
}

std::vector<std::span<std::byte>> heapBlocks() {
  const std::lock_guard lock(heap().mutex);
  std::map<std::uint64_t, std::span<std::byte>> byNumber;
  for (const auto& [begin, block] : heap().blocks) {
    byNumber[block.number] = {reinterpret_cast<std::byte*>(begin), block.bytes};
  }
  std::vector<std::span<std::byte>> all;
  for (const auto& [number, block] : byNumber) { all.push_back(block); }
  return all;
}

void* newBlock(std::size_t bytes) { return noted(::operator new(bytes), bytes); }
void deleteBlock(void* block) {
  checkHostFree(block, "delete");
  forget(block);
  ::operator delete(block);
}

}  // namespace haloscope::host
