#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "host/Guest.h"

/// With what the program compares the elements that it has copied from the device, one by one, where the expected
/// values are in no array. Its code is compiled with ComparisonHooks for that.
namespace haloscope::host {

/// What that code calls.
[[nodiscard]] GuestSymbols comparisonSymbols();

/// From now on comparisons are noted. An element that is compared counts as equal, so that a program that ends at the
/// first difference compares the others, too.
void noteComparisons();
/// These bytes have come from the device.
void noteArrival(std::span<const std::byte> array);
/// What has come, with that in place of all elements that were compared.
[[nodiscard]] std::vector<std::vector<std::byte>> comparedValues();

}  // namespace haloscope::host
