#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "module/StoredFrontend.h"

namespace haloscope::handout {

/// What a page asks, and what it asks it about: a container(), see handout/Columns.h.
struct Message {
  nlohmann::json facts;
  std::span<const std::byte> bytes;

  /// The next bytes, which are taken away. Throws InputError if there are fewer.
  std::span<const std::byte> take(std::size_t size);
};
/// Throws InputError.
[[nodiscard]] Message opened(std::span<const std::byte> message);

/// The programs of a stored kernel (handout/LiveKernel.h), which are of the file with this path.
[[nodiscard]] std::vector<frontend::StoredVariant> programsOf(Message kernel);

}  // namespace haloscope::handout
