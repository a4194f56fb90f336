#include "program/CacheFolder.h"

#include <cstdlib>

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

}  // namespace haloscope
