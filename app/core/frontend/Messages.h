#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "frontend/Frontend.h"

/// What this program and a process in which Clang runs say to each other.
namespace haloscope::frontend {

/// What is asked of a text, see Frontend.h.
struct Request {
  enum class What : std::uint8_t { Compile, Summarize, DeviceText, Instrument };
  What what = What::Compile;
  std::string file, text;
  CompileOptions options;
  bool operator==(const Request&) const = default;
};

/// Why a request has no result.
struct Refusal {
  enum class Why : std::uint8_t {
    NotCompilable,  ///< CompileError
    NoSuchKernel,   ///< NoSuchKernel
    BadInput,       ///< InputError
    Failed,         ///< std::logic_error
  };
  Why why = Why::NotCompilable;
  std::vector<Diagnostic> diagnostics{};  ///< of the first two
  std::string message{};                  ///< of the others
};

using Answer = std::variant<CompileResult, TextSummary, DeviceText, InstrumentedText, Refusal>;

[[nodiscard]] std::vector<std::byte> encode(const Request& request);
/// Throws InputError.
[[nodiscard]] Request decodeRequest(std::span<const std::byte> bytes);

[[nodiscard]] std::vector<std::byte> encode(const Answer& answer);
/// The answer to `request`, from a process that has read a stranger's text: it may be forged. Throws InputError for
/// what is not exactly an answer of the kind that was asked for, or has a program that is not well formed. Places are
/// in the text or its headers: columns are brought within their lines.
[[nodiscard]] Answer decodeAnswer(std::span<const std::byte> bytes, const Request& request);

}  // namespace haloscope::frontend
