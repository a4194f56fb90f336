#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/Frontend.h"

namespace clang {
class ASTContext;
class CompilerInstance;
class Sema;
class SourceLocation;
class SourceRange;
}  // namespace clang

namespace haloscope::frontend {

class DiagnosticCollector;

/// One run of Clang over one text, in memory, with the prelude before it. The syntax tree lives as long as this does.
///
/// Only device code is read: bodies of host functions are skipped, and what is wrong with host declarations is a
/// warning, since a student's file brings its main() along.
class ClangSession {
 public:
  ClangSession(const std::string& text, const std::map<std::string, std::string>& defines);
  ~ClangSession();
  ClangSession(const ClangSession&) = delete;
  ClangSession& operator=(const ClangSession&) = delete;

  /// Fills the syntax tree. What is wrong with the text is in diagnostics().
  void parse();

  [[nodiscard]] clang::ASTContext& context() const;
  [[nodiscard]] clang::Sema& sema() const;
  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const;
  /// The errors in host code, which are warnings in diagnostics(): where no kernel is found, they may say why.
  [[nodiscard]] const std::vector<Diagnostic>& forgiven() const;

  /// Where the user sees it: a macro's expansion, not its definition; nowhere for the prelude.
  [[nodiscard]] SourceRange range(const clang::SourceRange& where) const;
  [[nodiscard]] bool inUserText(const clang::SourceLocation& where) const;
  /// The user's characters of a range; empty for the prelude.
  [[nodiscard]] std::string_view spelling(const clang::SourceRange& where) const;

 private:
  void setUp(const std::string& text, const std::map<std::string, std::string>& defines);
  void forgiveHostCode();

  std::vector<Diagnostic> forgiven_;
  std::unique_ptr<DiagnosticCollector> collector_;
  std::unique_ptr<clang::CompilerInstance> compiler_;
};

}  // namespace haloscope::frontend
