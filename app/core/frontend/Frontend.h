#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "catalogue/KernelFile.h"
#include "program/BlockLog.h"
#include "program/Program.h"
#include "program/SourceLocation.h"

/// Parses CUDA C++ with Clang and lowers one kernel to a Program. Clang runs in a confined process with limits of time
/// and memory (CompilerProcess.h): a text that makes it crash, run on or grow has an error, and so has a text that
/// nests too deeply for it. All functions may be called from several threads.
namespace haloscope::frontend {

struct CompileOptions {
  std::map<std::string, std::string> defines;  ///< macro name → text, as after -D
  std::string kernel;      ///< the __global__ function, by its name or its mangled name; empty: the file's first one
  std::string prologue{};  ///< declarations that are read before the text
  std::map<std::string, std::string> headers{};  ///< by the path that the text includes them under
  std::vector<std::string> instances{};          ///< template instances wanted besides the text's own: `sweep<8>`
  /// The launch comes from an executed program, so that a pointer parameter may be one whose type does not say what it
  /// points to (void *), or a table of pointers.
  bool executed = false;
  bool operator==(const CompileOptions&) const = default;
};
/// Those of a kernel's text at these bindings.
[[nodiscard]] CompileOptions optionsOf(const KernelFile& file, const Bindings& bindings);

/// An error or a warning, from Clang or from the lowering.
struct Diagnostic {
  enum class Severity : std::uint8_t { Warning, Error };
  /// What is wrong, as far as callers act on it. Never derived from the message, whose words are for people.
  enum class Kind : std::uint8_t {
    Other,
    UndeclaredIdentifier,  ///< `name` is not declared
    UnknownType,           ///< `name`, used as a type, is not declared
    UnknownName,           ///< a member, template, namespace or class that is not declared, or a type not defined
    TooMuchMemory,         ///< the compiler was ended for it, and says nothing else of the text
    TooMuchTime,           ///< likewise
    CompilerCrash,         ///< likewise; also for what is nested too deeply
  };
  Severity severity = Severity::Error;
  SourceRange where;  ///< in the text, or in `header`
  std::string message;
  std::string header{};  ///< the included header that it refers to, by its name in CompileOptions; empty: the text
  Kind kind = Kind::Other;
  std::string name{};        ///< of UndeclaredIdentifier and UnknownType
  std::string suggestion{};  ///< a declared name or macro that `name` may be a misspelling of; empty: none
  bool operator==(const Diagnostic&) const = default;
};

/// Whether the compiler was ended by the text, of which nothing else is known then.
[[nodiscard]] bool endedTheCompiler(Diagnostic::Kind kind);

/// The diagnostic with its place given in the text alone: one in a header names the header's line in its message.
[[nodiscard]] Diagnostic seenFromText(Diagnostic diagnostic);

/// The text cannot be lowered: what() gives the first error, diagnostics() all of them.
class CompileError : public SourceError {
 public:
  CompileError(std::string file, std::vector<Diagnostic> diagnostics);
  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// The text has kernels, or may have, but none of the wanted name.
class NoSuchKernel : public CompileError {
 public:
  using CompileError::CompileError;
};

struct CompileResult {
  Program program;
  std::vector<std::string> kernels;  ///< names of all __global__ functions with a body, in the order of the text
  std::vector<Diagnostic> warnings;
  /// The macros that the text asks for and isTelling(): each by its name, where it is first asked for.
  std::vector<Diagnostic> asked{};
};

/// A __global__ function of a text.
struct KernelSummary {
  std::string name;          ///< `sweep`; `sweep<8>` if a template has several instances
  std::string functionName;  ///< without template arguments
  SourceRange where;
  bool ready = false;    ///< has a body, with all template arguments known
  std::string symbol{};  ///< its mangled name, if it is ready
};

/// The kernels and errors of a text, for proposing how to launch its kernels.
struct TextSummary {
  std::vector<KernelSummary> kernels;  ///< __global__ functions with a body, in the order of the text
  std::vector<Diagnostic> diagnostics;
  std::vector<Diagnostic> helperErrors;  ///< those of `diagnostics` that are in a device function
  /// Integer macros, and integer constants at namespace scope, by name.
  std::map<std::string, std::int64_t> constants;
};

/// Parses a text without lowering it. Does not throw for a faulty text: one that the compiler was ended for has a
/// diagnostic, and nothing else.
TextSummary summarize(const std::string& text, const CompileOptions& options = {});

/// The input of a GPU's compiler made from a text, and its names for the kernel and the variables.
struct DeviceText {
  std::string prologue;  ///< what the prelude declares and that compiler does not, then the prologue of the options
  std::string text;      ///< device code at its lines and columns, with blanks in place of host code
  std::map<std::string, std::string> headers;    ///< by the name that the text includes them under
  std::string kernel;                            ///< "heat::sweep<8>"
  std::map<std::string, std::string> variables;  ///< __constant__ and __device__ ones: name → "heat::weights"
};

/// The device code of a text in which `options.kernel` can be lowered. Functions and variables of the host, other
/// kernels that have errors, definitions of macros that are given and includes of host headers are left out.
/// Throws CompileError.
DeviceText deviceText(const std::string& file, const std::string& text, const CompileOptions& options = {});

/// A text that logs its execution, in the format of program/BlockLog.h.
struct InstrumentedText {
  DeviceText device;  ///< with the calls into kLogPrelude, which is in its prologue
  std::vector<LogSite> sites;
  /// The kernel of the text with its macros expanded: the same instructions as without, at other places, which are
  /// those of the sites.
  Program program;
};

/// The functions that an instrumented text calls: the namespace haloscope_log, whose variables `words`, `counts`,
/// `capacity` and `focus` must be set before the launch.
[[nodiscard]] std::string logPrelude();

/// Rewrites the device code of a text so that it logs a block of `options.kernel` on a GPU. Throws CompileError, which
/// names what cannot be recorded.
InstrumentedText instrument(const std::string& file, const std::string& text, const CompileOptions& options = {});

/// Parses `text` as if it were the file `file` (used in messages only; nothing is read from disk) and lowers a kernel.
/// An error in host code, or in another kernel, becomes a warning.
/// Safe for untrusted text: the program is interpreted, never compiled to machine code.
/// Throws CompileError naming file:line:column and the construct.
CompileResult compile(const std::string& file, const std::string& text, const CompileOptions& options = {});

}  // namespace haloscope::frontend
