#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "frontend/SourceTokens.h"
#include "lowering/ClangSession.h"

namespace clang {
class Decl;
class DeclContext;
class FunctionDecl;
class NamedDecl;
class SourceLocation;
}  // namespace clang

namespace haloscope::lowering {

/// Extracts the device code of a parsed text; see deviceText().
class DeviceTextReader {
 public:
  DeviceTextReader(const ClangSession& session, const std::string& text, const CompileOptions& options);

  /// `library`: put before the prologue of the options, instead of what CUDA's headers declare of it.
  [[nodiscard]] DeviceText read(const clang::FunctionDecl& kernel, const std::string& library = {});

 private:
  /// One of the files, and which of its declarations are kept.
  struct File {
    frontend::SourceTokens tokens;
    std::size_t begin = 0;  ///< offset of its first character in the file that Clang read
    std::vector<frontend::TextRange> kept, removed;
  };

  void visitAll(const clang::DeclContext& scope);
  void visit(const clang::Decl& declaration);
  void removeErrors();
  void removeInstances(const clang::Decl& declaration);
  [[nodiscard]] bool belongsToDevice(const clang::Decl& declaration) const;
  [[nodiscard]] std::string nameOf(const clang::NamedDecl& declaration) const;
  /// Null for the prelude.
  [[nodiscard]] File* fileOf(const clang::SourceLocation& where, std::size_t& offset);
  [[nodiscard]] std::string deviceCodeOf(const File& file, const std::string& folder, DeviceText& result) const;

  const ClangSession& session_;
  const CompileOptions& options_;
  std::map<std::string, File> files_;             ///< by path
  std::map<std::string, std::string> variables_;  ///< see DeviceText
  bool ownLibrary_ = false;
};

}  // namespace haloscope::lowering
