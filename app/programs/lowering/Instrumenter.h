#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/StmtCXX.h>

#include "lowering/ClangSession.h"
#include "program/BlockLog.h"
#include "program/Program.h"

namespace haloscope::lowering {

/// Insertions into a text, each where a range of it begins or ends; ranges nest.
class TextInsertions {
 public:
  /// Before the range from `from` to `to`, in characters. With `to` std::string::npos: before all that begin there.
  void begin(std::size_t from, std::size_t to, std::string text);
  /// After that range.
  void end(std::size_t from, std::size_t to, std::string text);
  [[nodiscard]] std::string apply(const std::string& text) const;

 private:
  struct Insertion {
    std::size_t at = 0;
    bool ends = false;      ///< it ends a range, or begins one
    std::size_t other = 0;  ///< where that range begins, or ends
    std::size_t order = 0;
    std::string text;
  };
  std::vector<Insertion> insertions_;
};

/// Rewrites a kernel, and the device functions it calls, so that it logs its execution: each statement, each access
/// that is an instruction of the lowered program, and each assignment to a variable calls a function of kLogPrelude.
/// Nothing else changes; the compiler still compiles the text's own expressions.
///
/// Throws LoweringError for what cannot be rewritten.
class Instrumenter {
 public:
  /// `program`: the kernel, lowered from the same session.
  Instrumenter(const ClangSession& session, const Program& program);

  void instrument(const clang::FunctionDecl& kernel);
  /// The text with the insertions. `text` has the same characters at the same places as the session's, except for
  /// blanks.
  [[nodiscard]] std::string apply(const std::string& text) const { return insertions_.apply(text); }
  [[nodiscard]] const std::vector<LogSite>& sites() const { return sites_; }

 private:
  /// The places in the text of the instructions.
  using Range = std::pair<std::pair<int, int>, std::pair<int, int>>;
  using Ranges = std::set<Range>;
  [[nodiscard]] static Range key(const SourceRange& where) {
    return {{where.line, where.column}, {where.endLine, where.endColumn}};
  }

  // --- statements
  void function(const clang::FunctionDecl& definition, bool kernel);
  void statement(const clang::Stmt* node);
  void forStatement(const clang::ForStmt* node);
  void declarations(const clang::DeclStmt* node, bool inFor);
  void declared(const clang::VarDecl* variable, std::string& after);
  void expressionStatement(const clang::Expr* node, StatementKind kind);
  void condition(const clang::Expr* node, StatementKind kind, const clang::SourceLocation& begin);
  /// Puts a statement that is not an expression into braces, after the entry for it.
  void braced(const clang::Stmt* node, StatementKind kind, const clang::SourceLocation& begin);

  // --- expressions (ExpressionInstrumenting.cpp)
  void expression(const clang::Expr* node);
  void children(const clang::Expr* node);
  void assignment(const clang::Expr* node, const clang::Expr* target, bool readsFirst, bool postfix);
  void call(const clang::CallExpr* node);
  void atomic(const clang::CallExpr* node);
  void libraryCall(const clang::CallExpr* node);
  void shuffle(const clang::CallExpr* node);
  bool copyOrBarrier(const clang::CallExpr* node);
  void refuseHiddenState(const clang::CallExpr* node) const;
  void note(const clang::DeclRefExpr* node);

  [[nodiscard]] bool readsMemory(const clang::Stmt* node) const;

  // --- instructions at a place of the text
  [[nodiscard]] SourceRange range(const clang::SourceRange& where) const { return session_.range(where); }
  [[nodiscard]] SourceRange range(const clang::Stmt* node) const { return range(node->getSourceRange()); }
  [[nodiscard]] const Variable* variableDeclared(const SourceRange& where) const;
  [[nodiscard]] const MemoryObject* objectDeclared(const SourceRange& where, const std::string& name) const;
  /// Every statement, access and call of the program must have its site.
  void checkComplete() const;
  /// Whether a call that has a site holds the instruction's place.
  [[nodiscard]] bool isOfLibraryCall(const Instruction& instruction) const;

  // --- sites and insertions
  std::uint32_t add(LogSite site);
  /// `haloscope_log::NAME(SITE`
  std::string begin(const char* name, LogSite site);
  /// The entry for a statement that begins there, followed by `separator`; empty if there is none.
  std::string entry(StatementKind kind, const clang::SourceLocation& begin, const char* separator);
  std::string place(const SourceRange& declared, const std::string& name, const std::string& written);
  void wrap(const clang::SourceRange& where, const std::string& before, const std::string& after);
  void insert(const clang::SourceLocation& before, const std::string& text);
  [[nodiscard]] std::size_t offsetOf(const clang::SourceLocation& where) const;
  [[nodiscard]] std::size_t endOf(const clang::SourceLocation& lastToken) const;
  /// The semicolon after a statement, or the statement's last token if it includes it.
  [[nodiscard]] clang::SourceLocation lastToken(const clang::Stmt* node) const;
  [[nodiscard]] std::string typeName(const clang::QualType& type) const;
  [[nodiscard]] std::string spelling(const clang::Expr* node) const;

  const ClangSession& session_;
  const Program& program_;
  Ranges loads_, stores_, atomics_, shuffles_, calls_;
  Ranges found_;                           ///< of the accesses and calls that have a site
  std::vector<bool> ofLibrary_;            ///< by instruction: done by functions that log it themselves
  std::vector<SourceRange> libraryCalls_;  ///< of such functions, that have a site
  using Begin = std::pair<StatementKind, std::pair<int, int>>;
  std::set<Begin> statements_, foundStatements_;
  std::set<const clang::FunctionDecl*> known_;
  std::vector<const clang::FunctionDecl*> pending_;
  std::set<std::size_t> bodies_;                ///< instances of a template share one
  std::vector<const clang::VarDecl*> globals_;  ///< arrays outside of functions
  std::vector<LogSite> sites_;
  TextInsertions insertions_;
};

}  // namespace haloscope::lowering
