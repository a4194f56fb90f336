#include <utility>

#include "frontend/Frontend.h"
#include "language/Text.h"

namespace haloscope::frontend {

CompileOptions optionsOf(const KernelFile& file, const Bindings& bindings) {
  return {.defines = file.defines(bindings),
          .kernel = file.kernel,
          .prologue = file.prologue,
          .headers = file.headers,
          .instances = file.instances};
}

bool endedTheCompiler(Diagnostic::Kind kind) {
  return kind == Diagnostic::Kind::TooMuchMemory || kind == Diagnostic::Kind::TooMuchTime ||
         kind == Diagnostic::Kind::CompilerCrash;
}

Diagnostic seenFromText(Diagnostic diagnostic) {
  if (diagnostic.header.empty()) return diagnostic;
  diagnostic.message = SourceError(diagnostic.header, diagnostic.where, diagnostic.message).what();
  diagnostic.where = {};
  diagnostic.header.clear();
  return diagnostic;
}

CompileError::CompileError(std::string file, std::vector<Diagnostic> diagnostics)
    : SourceError(std::move(file), diagnostics.empty() ? SourceRange{} : seenFromText(diagnostics.front()).where,
                  diagnostics.empty() ? tr("cannot be compiled") : seenFromText(diagnostics.front()).message),
      diagnostics_(std::move(diagnostics)) {}

}  // namespace haloscope::frontend
