#pragma once

#include <span>
#include <string>

#include "questions/Origin.h"

namespace haloscope::questions {

class Execution;

/// A number that an execution yields.
struct Quantity {
  const char* name;     ///< "block.halo"
  const char* meaning;  ///< half a sentence
  Origin origin;        ///< Origin::Definition instead where Execution::byDefinition() says so
  double (*value)(Execution& execution);
};

/// All of them, in groups.
[[nodiscard]] std::span<const Quantity> quantities();
/// nullptr: there is none of this name.
[[nodiscard]] const Quantity* findQuantity(const std::string& name);

}  // namespace haloscope::questions
