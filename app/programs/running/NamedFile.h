#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace haloscope::running {

/// A file that the user has named for a program: a copy of it is what the program gets.
struct NamedFile {
  std::string name;  ///< as the program opens it
  std::vector<std::byte> bytes;
};

}  // namespace haloscope::running
