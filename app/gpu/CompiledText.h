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
  std::vector<char> image;  ///< input of cuModuleLoadData: a cubin, or PTX that the driver translates
  std::map<std::string, std::string> symbols;        ///< name expression in the source → name in the image
  std::string log;                                   ///< warnings
  std::map<std::string, CodeResources> resources{};  ///< by name in the image; empty for PTX
};

/// Serialises to bytes.
[[nodiscard]] std::string packed(const CompiledText& compiled);
/// Empty if the bytes were not made by packed().
[[nodiscard]] std::optional<CompiledText> unpacked(std::string_view bytes);

}  // namespace haloscope::gpu
