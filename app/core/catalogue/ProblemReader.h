#pragma once

#include "catalogue/KernelFile.h"
#include "catalogue/YamlReader.h"

namespace haloscope {

/// The header's "definition": what each array that is written should hold. `file` has arrays, sizes and arguments.
[[nodiscard]] Definition readDefinition(const HeaderReader& header, const YAML::Node& node, const KernelFile& file);
/// The header's "problem", for the playground.
[[nodiscard]] SweptProblem readProblem(const HeaderReader& header, const YAML::Node& node, const KernelFile& file);

}  // namespace haloscope
