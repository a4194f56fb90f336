#include "lowering/DiagnosticCollector.h"

#include <string>
#include <utility>

#include <clang/AST/DeclarationName.h>
#include <clang/Basic/DiagnosticIDs.h>
#include <clang/Basic/DiagnosticParse.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/IdentifierTable.h>
#include <clang/Lex/LexDiagnostic.h>
#include <llvm/ADT/SmallString.h>

namespace haloscope::lowering {

namespace {

Diagnostic::Kind kindOf(unsigned id) {
  switch (id) {
    case clang::diag::err_undeclared_var_use:
    case clang::diag::err_undeclared_var_use_suggest:
      return Diagnostic::Kind::UndeclaredIdentifier;
    case clang::diag::err_unknown_typename:
    case clang::diag::err_unknown_typename_suggest:
    case clang::diag::err_unknown_type_or_class_name_suggest:
      return Diagnostic::Kind::UnknownType;
    case clang::diag::err_no_member:
    case clang::diag::err_no_member_suggest:
    case clang::diag::err_no_member_overloaded_arrow:
    case clang::diag::err_no_member_template:
    case clang::diag::err_no_member_template_suggest:
    case clang::diag::err_typename_nested_not_found:
    case clang::diag::err_typename_nested_not_found_enable_if:
    case clang::diag::err_unknown_nested_typename_suggest:
    case clang::diag::err_no_template:
    case clang::diag::err_no_template_suggest:
    case clang::diag::err_unknown_template_name:
    case clang::diag::err_expected_namespace_name:
    case clang::diag::err_expected_class_name:
    case clang::diag::err_typecheck_decl_incomplete_type:
    case clang::diag::err_field_incomplete_or_sizeless:
      return Diagnostic::Kind::UnknownName;
    default:
      return Diagnostic::Kind::Other;
  }
}

/// An argument of a diagnostic that is a name, without the quotes that Clang puts around a suggestion.
std::string nameIn(const clang::Diagnostic& info, unsigned argument) {
  if (argument >= info.getNumArgs()) return {};
  switch (info.getArgKind(argument)) {
    case clang::DiagnosticsEngine::ak_identifierinfo:
      return info.getArgIdentifier(argument)->getName().str();
    case clang::DiagnosticsEngine::ak_declarationname:
      return clang::DeclarationName::getFromOpaqueInteger(info.getRawArg(argument)).getAsString();
    case clang::DiagnosticsEngine::ak_std_string: {
      const std::string& text = info.getArgStdStr(argument);
      const bool quoted = text.size() > 1 && text.front() == '\'' && text.back() == '\'';
      return quoted ? text.substr(1, text.size() - 2) : text;
    }
    default:
      return {};
  }
}

}  // namespace

void DiagnosticCollector::HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) {
  DiagnosticConsumer::HandleDiagnostic(level, info);
  if (level < clang::DiagnosticsEngine::Warning) {
    addNote(info);
    return;
  }
  noted_ = false;
  if (info.getID() == clang::diag::warn_pp_undef_identifier) {
    session_.noteAsked(nameIn(info, 0), info.getLocation());
    return;
  }
  clang::SourceRange where(info.getLocation());
  for (const clang::CharSourceRange& range : info.getRanges()) {
    // A range that begins at the diagnostic's location gives its end.
    if (range.getBegin() == info.getLocation() && range.isTokenRange()) where.setEnd(range.getEnd());
  }
  Diagnostic diagnostic;
  diagnostic.severity =
      level == clang::DiagnosticsEngine::Warning ? Diagnostic::Severity::Warning : Diagnostic::Severity::Error;
  diagnostic.kind = kindOf(info.getID());
  if (diagnostic.kind == Diagnostic::Kind::UndeclaredIdentifier || diagnostic.kind == Diagnostic::Kind::UnknownType) {
    diagnostic.name = nameIn(info, 0);
    diagnostic.suggestion = nameIn(info, info.getID() == clang::diag::err_unknown_type_or_class_name_suggest ? 2 : 1);
  }
  const bool placed = info.getLocation().isValid() && info.hasSourceManager();
  if (placed) session_.place(diagnostic, where);
  // Of what is read before the text, such as the macros that it takes back, nothing concerns its author.
  const bool ofTheText = diagnostic.where.valid() || !diagnostic.header.empty();
  if (diagnostic.severity == Diagnostic::Severity::Warning && placed && !ofTheText) return;
  llvm::SmallString<256> message;
  info.FormatDiagnostic(message);
  diagnostic.message = message.str().str();
  diagnostics.push_back(std::move(diagnostic));
  places.push_back(placed ? info.getLocation() : clang::SourceLocation());
}

void DiagnosticCollector::addNote(const clang::Diagnostic& note) {
  // The deferrable notes are those about candidates of overload resolution.
  const bool candidate = clang::DiagnosticIDs::isDeferrable(note.getID());
  if (!candidate || diagnostics.empty() || std::exchange(noted_, true)) return;
  llvm::SmallString<256> text;
  note.FormatDiagnostic(text);
  diagnostics.back().message += " (" + text.str().str() + ")";
}

}  // namespace haloscope::lowering
