#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "frontend/ClangSession.h"
#include "frontend/SourceTokens.h"

namespace clang {
class Decl;
class DeclContext;
class FunctionDecl;
class NamedDecl;
class SourceLocation;
}  // namespace clang

namespace haloscope::frontend {

/// Finds what of a parsed text belongs to the device; see deviceText().
class DeviceTextReader {
 public:
  DeviceTextReader(const ClangSession& session, const std::string& text, const CompileOptions& options);

  [[nodiscard]] DeviceText read(const clang::FunctionDecl& kernel);

 private:
  /// One of the files, and which of its declarations stay.
  struct File {
    SourceTokens tokens;
    std::size_t begin = 0;  ///< of the characters in what Clang read
    std::vector<Stretch> kept, removed;
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
};

}  // namespace haloscope::frontend
