#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/AssemblerReport.h"

namespace haloscope::gpu {

/// Machine code for one GPU.
struct CompiledText {
  std::vector<char> image;  ///< what cuModuleLoadData takes: a cubin, or PTX for the driver to translate
  std::map<std::string, std::string> symbols;        ///< name expression of the text → name in the image
  std::string log;                                   ///< warnings
  std::map<std::string, CodeResources> resources{};  ///< by name in the image; empty for PTX
};

/// As bytes, for a file.
[[nodiscard]] std::string packed(const CompiledText& compiled);
/// Nothing where the bytes are not what packed() makes.
[[nodiscard]] std::optional<CompiledText> unpacked(std::string_view bytes);

}  // namespace haloscope::gpu
