#include "text/Print.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace haloscope {

namespace {

/// What cannot be printed on standard error cannot be complained about either.
void write(std::FILE* file, std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file) < text.size() && file != stderr) {
    throw std::system_error(errno, std::generic_category(), "standard output");
  }
}

bool hasColours() {
  const auto isSet = [](const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  if (isSet("NO_COLOR")) { return false; }
  const char* const terminal = std::getenv("TERM");
  const bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return isSet("CLICOLOR_FORCE") || (::isatty(STDOUT_FILENO) != 0 && !dumb);
}

}  // namespace

void setInk(Ink ink) {
  static const bool kColours = hasColours();
  static constexpr std::array kCodes{"\033[0m",    "\033[1m",    "\033[2m",   "\033[1;31m",
                                     "\033[1;33m", "\033[1;36m", "\033[1;32m"};
  if (kColours) { write(stdout, kCodes.at(static_cast<std::size_t>(ink))); }
}

void printLines(std::FILE* file, std::string_view text) { write(file, printableLines(text)); }

void printCsv(std::string_view table) {
  constexpr std::string_view kEnd = "\r\n";
  for (std::size_t end = table.find(kEnd); end != std::string_view::npos; end = table.find(kEnd)) {
    printLines(table.substr(0, end));
    write(stdout, kEnd);
    table.remove_prefix(end + kEnd.size());
  }
  printLines(table);
}

void eraseLine(std::FILE* file) { write(file, "\r\033[K"); }

}  // namespace haloscope
