#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lowering/Lowering.h"

namespace clang {
class ASTContext;
class CompilerInstance;
class Decl;
class Preprocessor;
class Sema;
class SourceLocation;
class SourceRange;
}  // namespace clang

namespace haloscope::lowering {

class DiagnosticCollector;

/// One run of Clang over one text, in memory, with the prelude before it. The syntax tree lives as long as this does.
///
/// Only device code is parsed: bodies of host functions are skipped. An error belongs to the function that contains it,
/// so that a file can be used even if its main() or other kernels need declarations that are missing.
class ClangSession {
 public:
  ClangSession(const std::string& text, const CompileOptions& options);
  ~ClangSession();
  ClangSession(const ClangSession&) = delete;
  ClangSession& operator=(const ClangSession&) = delete;

  /// Builds the syntax tree. Does not throw for a faulty text: see errors().
  void parse();

  [[nodiscard]] clang::ASTContext& context() const;
  [[nodiscard]] clang::Sema& sema() const;
  [[nodiscard]] clang::Preprocessor& preprocessor() const;
  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const;
  /// See CompileResult::asked.
  [[nodiscard]] const std::vector<Diagnostic>& asked() const { return asked_; }
  /// A macro, as it is asked for.
  void noteAsked(const std::string& name, const clang::SourceLocation& where);
  [[nodiscard]] std::vector<Diagnostic> errors() const;
  /// The errors outside of functions and host variables, which concern every kernel. Without those about names of host
  /// libraries, such as std::chrono: a kernel that uses one has an error of its own.
  [[nodiscard]] std::vector<Diagnostic> generalErrors() const;
  /// The place of each error, in any file.
  [[nodiscard]] std::vector<clang::SourceLocation> errorPlaces() const;
  /// The errors that begin in a range of the text.
  [[nodiscard]] std::vector<Diagnostic> errorsIn(const SourceRange& range) const;
  /// The errors in a declaration, of the text or of a header.
  [[nodiscard]] std::vector<Diagnostic> errorsIn(const clang::Decl& decl) const;
  /// The errors in device functions other than kernels.
  [[nodiscard]] std::vector<Diagnostic> helperErrors() const;

  /// The place as the user sees it: a macro's expansion, not its definition; invalid for the prelude.
  [[nodiscard]] SourceRange range(const clang::SourceRange& where) const;
  /// A place in one of the files, the user's or the prelude: a macro's expansion, not its definition.
  struct Place {
    std::string path;  ///< kTextPath, kPreludePath, kProloguePath, or "/" and the name of a header
    std::size_t offset = 0;
  };
  static constexpr char kTextPath[] = "/kernel.cu";
  static constexpr char kPreludePath[] = "/prelude.h";
  static constexpr char kProloguePath[] = "/defines.h";  ///< begins with the macros
  [[nodiscard]] Place placeOf(const clang::SourceLocation& where) const;
  [[nodiscard]] bool inUserText(const clang::SourceLocation& where) const;
  /// The user's characters of a range; empty for the prelude.
  [[nodiscard]] std::string_view spelling(const clang::SourceRange& where) const;

 private:
  [[nodiscard]] bool isInDeviceVariable(const clang::SourceLocation& where) const;
  [[nodiscard]] bool isInside(const clang::SourceLocation& where, const clang::Decl& decl) const;
  /// The errors whose places satisfy a condition.
  template <typename Condition>
  [[nodiscard]] std::vector<Diagnostic> errorsWhere(Condition condition) const;
  /// Fills in the place of a diagnostic and the header that contains it.
  void place(Diagnostic& diagnostic, const clang::SourceRange& where) const;
  /// Adds macros to the suggestions for misspelt names: Clang looks among declarations only.
  void suggestMacros();
  [[nodiscard]] std::vector<std::string> macrosOfTheText() const;
  friend class DiagnosticCollector;
  void setUp(const std::string& text, const CompileOptions& options);

  std::vector<Diagnostic> asked_;
  std::unique_ptr<DiagnosticCollector> collector_;
  std::map<std::string, std::string> headers_;  ///< names of CompileOptions::headers, by their paths here
  std::unique_ptr<clang::CompilerInstance> compiler_;
};

}  // namespace haloscope::lowering
