#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "host/Guest.h"

/// The memory that the program allocates on the host.
namespace haloscope::host {

/// The C and C++ libraries' functions that allocate memory and free it, as the compiled program calls them.
[[nodiscard]] GuestSymbols heapSymbols();

/// From now on blocks are known. `freed` is called with each before it is freed, on any thread.
void watchHeap(std::function<void(std::span<const std::byte> block)> freed);
void endWatchingHeap();

/// The block that an address is in; empty if it is in none that is known.
[[nodiscard]] std::span<const std::byte> heapBlockAt(std::uintptr_t address);
/// All blocks, in the order of their allocation.
[[nodiscard]] std::vector<std::span<std::byte>> heapBlocks();

/// A new block that the program, too, may free.
[[nodiscard]] void* newBlock(std::size_t bytes);
void deleteBlock(void* block);

}  // namespace haloscope::host
