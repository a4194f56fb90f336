#include "pages/Print.h"

#include <cerrno>
#include <system_error>

namespace haloscope {

namespace {

/// What cannot be printed on standard error cannot be complained about either.
void write(std::FILE* file, std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file) < text.size() && file != stderr) {
    throw std::system_error(errno, std::generic_category(), "standard output");
  }
}

}  // namespace

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
