#pragma once

#include <map>
#include <string>
#include <vector>

#include "program/BlockLog.h"
#include "program/Program.h"
#include "program/SourceLocation.h"

/// Reads CUDA C++ with Clang and lowers one kernel to a Program.
namespace haloscope::frontend {

struct CompileOptions {
  std::map<std::string, std::string> defines;    ///< macro name → text, as after -D
  std::string kernel;                            ///< the __global__ function; empty: the file's first one
  std::string prologue{};                        ///< declarations that are read before the text
  std::map<std::string, std::string> headers{};  ///< by the path that the text includes them under
  std::vector<std::string> instances{};          ///< template instances wanted beside the text's own: `sweep<8>`
};

/// One message of Clang's or of the lowering's.
struct Diagnostic {
  enum class Severity { Warning, Error };
  Severity severity = Severity::Error;
  SourceRange where;  ///< in the text, or in `header`
  std::string message;
  std::string header{};  ///< the included header that it stands in, by its name in CompileOptions; empty: the text
};

/// The same for those who look at the text alone: of what stands in a header, the message says where.
[[nodiscard]] Diagnostic seenFromText(Diagnostic diagnostic);

/// The text cannot be lowered: what() gives the first error, diagnostics() all of them.
class CompileError : public SourceError {
 public:
  CompileError(std::string file, std::vector<Diagnostic> diagnostics);
  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

struct CompileResult {
  Program program;
  std::vector<std::string> kernels;  ///< names of all __global__ functions with a body, in the order of the text
  std::vector<Diagnostic> warnings;
};

/// What a text holds, as far as it can be read: for proposing how to launch its kernels.
struct TextSummary {
  struct Kernel {
    std::string name;          ///< `sweep`; `sweep<8>` where a template has several instances
    std::string functionName;  ///< without template arguments
    SourceRange where;
    bool ready = false;  ///< has a body, with all template arguments known
  };
  std::vector<Kernel> kernels;  ///< __global__ functions with a body, in the order of the text
  std::vector<Diagnostic> diagnostics;
  std::vector<Diagnostic> helperErrors;  ///< those of `diagnostics` that stand in a device function
};

/// Reads a text without lowering it. Throws nothing for a faulty text.
TextSummary summarize(const std::string& text, const CompileOptions& options = {});

/// What the compiler of a GPU is given of a text, and what it calls the kernel there.
struct DeviceText {
  std::string prologue;  ///< what the prelude declares and that compiler does not, then one's own
  std::string text;      ///< device code at its own lines and columns, blanks instead of the host's
  std::map<std::string, std::string> headers;    ///< by the name that the text includes them under
  std::string kernel;                            ///< "heat::sweep<8>"
  std::map<std::string, std::string> variables;  ///< __constant__ and __device__ ones: name → "heat::weights"
};

/// The device code of a text in which `options.kernel` can be lowered. Functions and variables of the host, other
/// kernels that have errors, definitions of macros that are given and includes of the host's headers are left out.
/// Throws CompileError.
DeviceText deviceText(const std::string& file, const std::string& text, const CompileOptions& options = {});

/// A text that tells what it does while it runs, as program/BlockLog.h has it.
struct InstrumentedText {
  DeviceText device;  ///< with the calls into kLogPrelude, which is in its prologue
  std::vector<LogSite> sites;
  /// The kernel of the text with its macros expanded: the same instructions as without, at other places. The sites are
  /// about these places.
  Program program;
};

/// What an instrumented text calls: the namespace haloscope_log, with the variables `words`, `counts`, `capacity` and
/// `focus` to be set before the launch.
[[nodiscard]] const char* logPrelude();

/// Rewrites the device code of a text for recording a block of `options.kernel` on a GPU. Throws CompileError, which
/// names what cannot be recorded.
InstrumentedText instrument(const std::string& file, const std::string& text, const CompileOptions& options = {});

/// Parses `text` as if it were the file `file` (used in messages only; nothing is read from disk) and lowers a kernel.
/// An error of the host's code, or of another kernel, becomes a warning.
/// Safe on strangers' text: it is interpreted later, never compiled to machine code.
/// Throws CompileError naming file:line:column and the construct.
CompileResult compile(const std::string& file, const std::string& text, const CompileOptions& options = {});

}  // namespace haloscope::frontend
