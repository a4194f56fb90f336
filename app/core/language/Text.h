#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <type_traits>

#include "text/Print.h"

/// What users read is written in English where it is used, as tr("…") or trf("… {}", x), and translated by
/// assets/languages/zh_CN.po; app/cmake/language.py finds it there. JSON keys, names of options and identifiers are
/// none of it.
namespace haloscope {

/// The text in the current language; the English one where there is no translation. Valid for ever if `english` is.
[[nodiscard]] const char* tr(const char* english);
/// For a text that was read from a file (the idea of a kernel); valid as long as `english`.
[[nodiscard]] inline const char* tr(const std::string& english) { return tr(english.c_str()); }
const char* tr(std::string&&) = delete;

/// Marks a text of a constexpr table for the catalogue; tr() translates it where it is shown.
consteval const char* trMark(const char* english) { return english; }

/// See trf() and trn().
[[nodiscard]] std::string vtrf(const char* english, fmt::format_args arguments);
[[nodiscard]] std::string vtrn(const char* one, const char* many, std::uint64_t count, fmt::format_args arguments);

/// A format string that is checked against its arguments at compile time, and from which its text can be had back.
template <typename... Args>
struct EnglishFormat {
  template <std::size_t N>
  consteval EnglishFormat(const char (&text)[N]) : english(text), checked(text) {}  // NOLINT: implicit on purpose
  const char* english;
  fmt::format_string<Args...> checked;
};

/// fmt::format() with the translated format. A translation may reorder its arguments by numbering them: "{1} … {0}".
template <typename... Args>
[[nodiscard]] std::string trf(EnglishFormat<std::type_identity_t<Args>...> english, Args&&... arguments) {
  return vtrf(english.english, fmt::make_format_args(arguments...));
}

/// One text for a count of 1, another for every other: trn("{} warning", "{} warnings", count, count). Chinese has one
/// form for both.
template <typename... Args>
[[nodiscard]] std::string trn(EnglishFormat<std::type_identity_t<Args>...> one,
                              EnglishFormat<std::type_identity_t<Args>...> many, std::uint64_t count,
                              Args&&... arguments) {
  return vtrn(one.english, many.english, count, fmt::make_format_args(arguments...));
}

/// printText() with the translated format.
template <typename... Args>
void trPrint(std::FILE* file, EnglishFormat<AsPrinted<Args>...> english, const Args&... arguments) {
  printLines(file, withPrinted([&](fmt::format_args all) { return vtrf(english.english, all); }, arguments...));
}
template <typename... Args>
void trPrint(EnglishFormat<AsPrinted<Args>...> english, const Args&... arguments) {
  trPrint(stdout, english, arguments...);
}
/// The same with one text for a count of 1, another for every other, as trn().
template <typename... Args>
void trnPrint(std::FILE* file, EnglishFormat<AsPrinted<Args>...> one, EnglishFormat<AsPrinted<Args>...> many,
              std::uint64_t count, const Args&... arguments) {
  printLines(file, withPrinted([&](fmt::format_args all) { return vtrn(one.english, many.english, count, all); },
                               arguments...));
}
template <typename... Args>
void trnPrint(EnglishFormat<AsPrinted<Args>...> one, EnglishFormat<AsPrinted<Args>...> many, std::uint64_t count,
              const Args&... arguments) {
  trnPrint(stdout, one, many, count, arguments...);
}

}  // namespace haloscope
