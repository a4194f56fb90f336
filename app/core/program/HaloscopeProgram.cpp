#include "program/HaloscopeProgram.h"

#include <unistd.h>

#include <system_error>

#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope {

namespace {

std::optional<std::filesystem::path>& named() {
  static std::optional<std::filesystem::path> none;
  return none;
}

bool& serves() {
  static bool yes = false;
  return yes;
}

}  // namespace

void useHaloscope(const std::filesystem::path& program) {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::canonical(program, error);
  if (error || !std::filesystem::is_regular_file(path, error) || access(path.c_str(), X_OK) != 0) {
    throw MissingError(trf("{} is not a program", program.string()));
  }
  named() = path;
}

const std::optional<std::filesystem::path>& usedHaloscope() { return named(); }

void serveFromThisProgram() { serves() = true; }

bool canBeStarted() { return named().has_value() || serves(); }

}  // namespace haloscope
