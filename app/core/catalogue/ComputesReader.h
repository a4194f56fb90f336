#pragma once

#include <cstdint>

#include "catalogue/KernelFile.h"
#include "catalogue/YamlReader.h"

namespace haloscope {

/// Points between a tap and its centre.
inline constexpr std::int64_t kMaxOffset = 1000;

/// What a header says under "computes". Throws SourceError.
[[nodiscard]] Computes readComputes(const HeaderReader& header, const YAML::Node& node);

}  // namespace haloscope
