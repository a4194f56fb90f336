#pragma once

#include <string>
#include <vector>

#include <clang/Basic/Diagnostic.h>

#include "frontend/ClangSession.h"

namespace haloscope::frontend {

/// Keeps Clang's messages with their places, instead of printing them.
class DiagnosticCollector : public clang::DiagnosticConsumer {
 public:
  explicit DiagnosticCollector(const ClangSession& session) : session_(session) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override;

  std::vector<Diagnostic> diagnostics;
  std::vector<clang::SourceLocation> places;  ///< of each of them

 private:
  /// "no matching function" says why only in a note; the first one is enough.
  void addNote(const std::string& note);

  const ClangSession& session_;
  bool noted_ = false;
};

}  // namespace haloscope::frontend
