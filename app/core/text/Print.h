#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "text/JsonText.h"
#include "text/Printable.h"

/// What the command line prints, on standard output and standard error: everything goes through here (unit.includes
/// sees to it), so that no name, message or output of a stranger's program commands the terminal or invents a line.
namespace haloscope {

/// A text of several lines that is printed as such. Any other is printed on one line.
struct PrintedLines {
  std::string_view text;
};

/// What takes an argument's place in what is printed: of a text, its visible form.
template <typename T>
[[nodiscard]] decltype(auto) asPrinted(const T& argument) {
  if constexpr (std::is_same_v<T, PrintedLines>) {
    return printableLines(argument.text);
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    return printable(argument);
  } else {
    return (argument);
  }
}
template <typename T>
using AsPrinted = std::remove_cvref_t<decltype(asPrinted(std::declval<const std::remove_cvref_t<T>&>()))>;

/// Calls `formatted` with what is printed of the arguments, as fmt::format_args.
template <typename Formatted, typename... Args>
[[nodiscard]] std::string withPrinted(const Formatted& formatted, const Args&... arguments) {
  return [&](const auto&... all) { return formatted(fmt::make_format_args(all...)); }(asPrinted(arguments)...);
}

/// Prints a text of several lines; whatever else it holds than line breaks, tabs and what can be seen becomes visible.
void printLines(std::FILE* file, std::string_view text);
inline void printLines(std::string_view text) { printLines(stdout, text); }

/// fmt::print(), for arguments from anywhere.
template <typename... Args>
void printText(std::FILE* file, fmt::format_string<AsPrinted<Args>...> format, const Args&... arguments) {
  printLines(file, withPrinted([&](fmt::format_args all) { return fmt::vformat(format, all); }, arguments...));
}
template <typename... Args>
void printText(fmt::format_string<AsPrinted<Args>...> format, const Args&... arguments) {
  printText(stdout, format, arguments...);
}

/// What a part of a text is, by which it gets its colour on a terminal.
enum class Ink : std::uint8_t { Plain, Strong, Faint, Fault, Warning, Note, Good };
/// From here on. Without effect where standard output is no terminal, or NO_COLOR is set (CLICOLOR_FORCE: with one).
void setInk(Ink ink);

/// The same in a colour, if standard output is a terminal and NO_COLOR is not set.
template <typename... Args>
void printInk(Ink ink, fmt::format_string<AsPrinted<Args>...> format, const Args&... arguments) {
  setInk(ink);
  printText(stdout, format, arguments...);
  setInk(Ink::Plain);
}

/// A document of nlohmann's.
template <typename Json>
void printJson(const Json& document) {
  printLines(jsonText(document, 2) + '\n');
}

/// A table of csvField(): its rows keep the ends that RFC 4180 gives them.
void printCsv(std::string_view table);

/// Goes back to the beginning of the line, and erases it: for terminals.
void eraseLine(std::FILE* file);

}  // namespace haloscope
