#include "actions/OpenedVariant.h"

#include <fmt/format.h>

#include <string>

namespace haloscope {

KernelFile openedVariant(const Catalogue& catalogue, const std::filesystem::path& path) {
  KernelFile file;
  file.path = path;
  file.markOpened();
  file.title = path.filename().string();
  const std::string base = "opened/" + path.stem().string();
  file.id = base;
  for (int i = 2; catalogue.find(file.id) != nullptr && catalogue.find(file.id)->path != path; ++i) {
    file.id = fmt::format("{} {}", base, i);
  }
  return file;
}

}  // namespace haloscope
