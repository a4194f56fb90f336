#include "frontend/DiagnosticCollector.h"

#include <utility>

#include <llvm/ADT/SmallString.h>

namespace haloscope::frontend {

void DiagnosticCollector::HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) {
  DiagnosticConsumer::HandleDiagnostic(level, info);
  llvm::SmallString<256> message;
  info.FormatDiagnostic(message);
  if (level < clang::DiagnosticsEngine::Warning) {
    addNote(message.str().str());
    return;
  }
  noted_ = false;
  clang::SourceRange where(info.getLocation());
  for (const clang::CharSourceRange& range : info.getRanges()) {
    // The marked range that starts at the place of the message says how far it extends.
    if (range.getBegin() == info.getLocation() && range.isTokenRange()) where.setEnd(range.getEnd());
  }
  Diagnostic diagnostic;
  diagnostic.severity =
      level == clang::DiagnosticsEngine::Warning ? Diagnostic::Severity::Warning : Diagnostic::Severity::Error;
  const bool placed = info.getLocation().isValid() && info.hasSourceManager();
  if (placed) session_.place(diagnostic, where);
  diagnostic.message = message.str().str();
  diagnostics.push_back(std::move(diagnostic));
  places.push_back(placed ? info.getLocation() : clang::SourceLocation());
}

void DiagnosticCollector::addNote(const std::string& note) {
  if (!note.starts_with("candidate") || diagnostics.empty() || std::exchange(noted_, true)) return;
  diagnostics.back().message += " (" + note + ")";
}

}  // namespace haloscope::frontend
