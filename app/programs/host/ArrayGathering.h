#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "host/Guest.h"

/// What the program's own arrays hold that may be the reference of what it copies from the device: those with as many
/// elements, of the same type or of one twice or half as wide.
namespace haloscope::host {

/// From now on such blocks of the heap are kept when they are freed.
void gatherArrays();
/// So many bytes have been copied from the device.
void noteCopied(std::size_t bytes);
/// They, and those that are there now, global variables and memory of the runtime among them, each content once, up to
/// a limit.
[[nodiscard]] std::vector<std::vector<std::byte>> gatheredArrays(const Guest& guest);

/// Fills one of the arrays on the heap that are as long, by its index in the order of their allocation, if there is
/// one.
void giveArray(std::size_t index, std::span<const std::byte> contents);

}  // namespace haloscope::host
