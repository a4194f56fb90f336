#pragma once

#include "catalogue/KernelFile.h"
#include "catalogue/YamlReader.h"

namespace haloscope {

/// What a header says under "computes". Throws SourceError.
[[nodiscard]] Computes readComputes(const HeaderReader& header, const YAML::Node& node);

}  // namespace haloscope
