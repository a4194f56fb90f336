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
class Decl;
class Sema;
class SourceLocation;
class SourceRange;
}  // namespace clang

namespace haloscope::frontend {

class DiagnosticCollector;

/// One run of Clang over one text, in memory, with the prelude before it. The syntax tree lives as long as this does.
///
/// Only device code is read: bodies of host functions are skipped. An error belongs to the function it stands in, so
/// that a file can be used whose main() or whose other kernels need more than is there.
class ClangSession {
 public:
  ClangSession(const std::string& text, const CompileOptions& options);
  ~ClangSession();
  ClangSession(const ClangSession&) = delete;
  ClangSession& operator=(const ClangSession&) = delete;

  /// Fills the syntax tree. Throws nothing for a faulty text: ask for its errors.
  void parse();

  [[nodiscard]] clang::ASTContext& context() const;
  [[nodiscard]] clang::Sema& sema() const;
  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const;
  [[nodiscard]] std::vector<Diagnostic> errors() const;
  /// The errors outside of any function and of host variables: they concern every kernel. Not those of names that
  /// only the host needs, such as std::chrono: a kernel that does use one has an error of its own.
  [[nodiscard]] std::vector<Diagnostic> generalErrors() const;
  /// Where each error is, in whatever file.
  [[nodiscard]] std::vector<clang::SourceLocation> errorPlaces() const;
  /// Those that begin in a range of the text.
  [[nodiscard]] std::vector<Diagnostic> errorsIn(const SourceRange& range) const;
  /// Those that stand in a declaration, of the text or of a header.
  [[nodiscard]] std::vector<Diagnostic> errorsIn(const clang::Decl& decl) const;
  /// Those in device functions that are no kernels.
  [[nodiscard]] std::vector<Diagnostic> helperErrors() const;

  /// Where the user sees it: a macro's expansion, not its definition; nowhere for the prelude.
  [[nodiscard]] SourceRange range(const clang::SourceRange& where) const;
  /// A place in one of the files that were read, the user's or the prelude; a macro's expansion, not its definition.
  struct Place {
    std::string path;  ///< kTextPath, kPreludePath, kProloguePath, or "/" and the name of a header
    std::size_t offset = 0;
  };
  static constexpr char kTextPath[] = "/kernel.cu";
  static constexpr char kPreludePath[] = "/prelude.h";
  static constexpr char kProloguePath[] = "/defines.h";  ///< it has the macros first
  [[nodiscard]] Place placeOf(const clang::SourceLocation& where) const;
  [[nodiscard]] bool inUserText(const clang::SourceLocation& where) const;
  /// The user's characters of a range; empty for the prelude.
  [[nodiscard]] std::string_view spelling(const clang::SourceRange& where) const;

 private:
  [[nodiscard]] bool isInDeviceVariable(const clang::SourceLocation& where) const;
  [[nodiscard]] bool stands(const clang::SourceLocation& where, const clang::Decl& decl) const;
  /// The errors whose places fulfil a condition.
  template <typename Condition>
  [[nodiscard]] std::vector<Diagnostic> errorsWhere(Condition condition) const;
  /// Fills in the place of a message, and the header that it is in.
  void place(Diagnostic& diagnostic, const clang::SourceRange& where) const;
  /// Clang looks for a misspelt name among declarations only.
  void suggestMacros();
  [[nodiscard]] std::vector<std::string> macrosOfTheText() const;
  friend class DiagnosticCollector;
  void setUp(const std::string& text, const CompileOptions& options);

  std::unique_ptr<DiagnosticCollector> collector_;
  std::map<std::string, std::string> headers_;  ///< names of CompileOptions::headers, by their paths here
  std::unique_ptr<clang::CompilerInstance> compiler_;
};

}  // namespace haloscope::frontend
