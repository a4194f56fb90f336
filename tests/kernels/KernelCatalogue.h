#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "catalogue/Catalogue.h"

namespace haloscope::test {

/// The kernels of the source tree, read once.
inline const Catalogue& catalogue() {
  static const Catalogue kCatalogue = Catalogue::read(std::filesystem::path(HALOSCOPE_SOURCE_DIR) / "kernels");
  return kCatalogue;
}

/// Their ids, the parameters of parametrised tests.
inline std::vector<std::string> catalogueIds() {
  std::vector<std::string> ids;
  for (const KernelFile& file : catalogue().kernels()) { ids.push_back(file.id); }
  return ids;
}

}  // namespace haloscope::test
