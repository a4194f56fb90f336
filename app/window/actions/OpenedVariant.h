#pragma once

#include <filesystem>

#include "catalogue/Catalogue.h"

namespace haloscope {

/// The variant that represents an opened file: "opened/NAME". Its text has not been read yet.
[[nodiscard]] KernelFile openedVariant(const Catalogue& catalogue, const std::filesystem::path& path);

}  // namespace haloscope
