#pragma once

#include <stdexcept>

namespace haloscope::render {

/// A shader that cannot be read, compiled or linked. what() names the file and carries the compiler's log.
class ShaderError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace haloscope::render
