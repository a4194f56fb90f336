#pragma once

#include <map>
#include <string>
#include <vector>

#include "program/Program.h"
#include "program/SourceLocation.h"

/// Reads CUDA C++ with Clang and lowers one kernel to a Program.
namespace haloscope::frontend {

struct CompileOptions {
  std::map<std::string, std::string> defines;  ///< macro name → text, as after -D
  std::string kernel;                          ///< the __global__ function; empty: the file's first one
};

/// One message of Clang's or of the lowering's.
struct Diagnostic {
  enum class Severity { Warning, Error };
  Severity severity = Severity::Error;
  SourceRange where;
  std::string message;
};

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

/// Parses `text` as if it were the file `file` (used in messages only; nothing is read from disk) and lowers a kernel.
/// Safe on strangers' text: it is interpreted later, never compiled to machine code.
/// Throws CompileError naming file:line:column and the construct.
CompileResult compile(const std::string& file, const std::string& text, const CompileOptions& options = {});

}  // namespace haloscope::frontend
