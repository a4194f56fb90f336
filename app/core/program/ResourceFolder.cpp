#include "program/ResourceFolder.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <system_error>

#include "language/Text.h"
#include "program/HaloscopeProgram.h"
#include "program/SourceLocation.h"

namespace haloscope {

namespace fs = std::filesystem;

namespace {

fs::path fromEnvironment(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? fs::path() : fs::path(value);
}

}  // namespace

fs::path cacheFolder() {
  // The XDG base directory specification requires ignoring relative paths.
  if (const fs::path xdg = fromEnvironment("XDG_CACHE_HOME"); xdg.is_absolute()) { return xdg / "haloscope"; }
  const fs::path home = fromEnvironment("HOME");
  return home.is_absolute() ? home / ".cache" / "haloscope" : fs::path();
}

namespace fs = std::filesystem;

fs::path resourceFolder(const std::string& name, const fs::path& sourceFolder) {
  std::error_code error;
  const fs::path executable =
      (usedHaloscope() ? *usedHaloscope() : fs::read_symlink("/proc/self/exe", error)).parent_path();
  const std::array<fs::path, 3> places{executable / name, executable / ".." / "share" / "haloscope" / name,
                                       sourceFolder.empty() ? fs::path() : sourceFolder / name};
  std::string tried;
  for (const fs::path& place : places) {
    if (place.empty()) { continue; }
    if (fs::is_directory(place, error)) { return place.lexically_normal(); }
    tried += (tried.empty() ? "" : ", ") + place.lexically_normal().string();
  }
  throw InputError(trf("the folder \"{}\" that ships with Haloscope is missing; looked at {}", name, tried));
}

bool isInside(const fs::path& path, const fs::path& folder) {
  std::error_code error;
  const fs::path there = fs::weakly_canonical(folder, error);
  const fs::path relative = fs::weakly_canonical(path, error).lexically_relative(there);
  return !folder.empty() && !relative.empty() && *relative.begin() != "..";
}

}  // namespace haloscope
