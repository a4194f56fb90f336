#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/AssemblerReport.h"

namespace haloscope::gpu {

/// Machine code for one GPU.
struct CompiledText {
  std::vector<char> image;  ///< input of cuModuleLoadData: a cubin, or PTX that the driver translates
  std::map<std::string, std::string> symbols;        ///< name expression in the source → name in the image
  std::string log;                                   ///< warnings
  std::map<std::string, CodeResources> resources{};  ///< by name in the image; empty for PTX
};

/// The code as an entry of the disk cache, in CBOR.
[[nodiscard]] std::string cacheEntry(const CompiledText& compiled);
/// Empty if the entry is damaged.
[[nodiscard]] std::optional<CompiledText> compiledTextIn(std::string_view entry);

}  // namespace haloscope::gpu
