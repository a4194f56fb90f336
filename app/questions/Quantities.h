#pragma once

#include <span>
#include <string>

namespace haloscope::questions {

class Execution;

/// A number that an execution yields.
struct Quantity {
  const char* name;     ///< "block.halo"
  const char* meaning;  ///< half a sentence
  double (*value)(Execution& execution);
};

/// All of them, in groups.
[[nodiscard]] std::span<const Quantity> quantities();
/// nullptr: there is none of this name.
[[nodiscard]] const Quantity* findQuantity(const std::string& name);

}  // namespace haloscope::questions
