#pragma once

#include <vector>

#include <clang/Basic/Diagnostic.h>

#include "lowering/ClangSession.h"

namespace haloscope::lowering {

/// Keeps Clang's diagnostics with their kinds and places instead of printing them.
class DiagnosticCollector : public clang::DiagnosticConsumer {
 public:
  explicit DiagnosticCollector(ClangSession& session) : session_(session) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override;

  std::vector<Diagnostic> diagnostics;
  std::vector<clang::SourceLocation> places;  ///< of each of them

 private:
  /// Clang gives the reason for "no matching function" only in the notes about the candidates: keeps the first one.
  void addNote(const clang::Diagnostic& note);

  ClangSession& session_;
  bool noted_ = false;
};

}  // namespace haloscope::lowering
