#pragma once

#include <string>
#include <vector>

namespace haloscope::frontend {

/// Whether a text can know its compiler by this macro, the GPU that it is compiled for, or where and when that happens.
[[nodiscard]] bool isTelling(const std::string& macro);

/// Lines that make such a macro answer as elsewhere: as another compiler has it, for another GPU, or in another file.
/// To be read before the text, as CompileOptions::prologue.
[[nodiscard]] std::vector<std::string> otherwise(const std::string& macro);

}  // namespace haloscope::frontend
