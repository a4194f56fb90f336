#pragma once

#include "program/HeaderReader.h"
#include "program/KernelFile.h"

namespace haloscope {

/// What a header says under "computes". Throws SourceError.
[[nodiscard]] Computes readComputes(const HeaderReader& header, const YAML::Node& node);

}  // namespace haloscope
