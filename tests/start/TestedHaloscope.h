#pragma once

#include <filesystem>

#include "program/HaloscopeProgram.h"

namespace haloscope {

/// The `haloscope` of the build reads the texts of a test program, which therefore needs no Clang. In the archive of
/// the GPU tests it is next to them. `self`: main()'s argv[0].
inline void useTestedHaloscope(const char* self) {
  const std::filesystem::path besideTests = std::filesystem::path(self).parent_path() / "haloscope";
  useHaloscope(std::filesystem::is_regular_file(besideTests) ? besideTests : std::filesystem::path(HALOSCOPE_BINARY));
}

}  // namespace haloscope
