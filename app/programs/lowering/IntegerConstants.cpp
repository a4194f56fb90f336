#include "lowering/IntegerConstants.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Lex/Preprocessor.h>
#include <fmt/format.h>

#include "lowering/ClangSession.h"

namespace haloscope::lowering {

namespace {

using Constants = std::map<std::string, std::int64_t>;

constexpr std::string_view kPrefix = "haloscope_value_of_";

bool isOfUser(const ClangSession& session, const clang::SourceLocation& where) {
  const std::string path = session.placeOf(where).path;
  return path.starts_with('/') && path != ClangSession::kPreludePath;
}

std::optional<std::int64_t> asInteger(const llvm::APSInt& value) {
  return value.isRepresentableByInt64() ? std::optional(value.getExtValue()) : std::nullopt;
}

std::optional<std::int64_t> valueOf(const clang::VarDecl& variable, const clang::ASTContext& context) {
  const bool integer = variable.getType()->isIntegralOrEnumerationType() && !variable.getType()->isDependentType();
  if (!integer || variable.isInvalidDecl() || !variable.isUsableInConstantExpressions(context)) { return std::nullopt; }
  const clang::APValue* const value = variable.evaluateValue();
  return value != nullptr && value->isInt() ? asInteger(value->getInt()) : std::nullopt;
}

void addDeclared(const ClangSession& session, const clang::DeclContext& scope, Constants& constants) {
  for (const clang::Decl* decl : scope.decls()) {
    if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(decl)) {
      addDeclared(session, *llvm::cast<clang::DeclContext>(decl), constants);
    }
    if (!isOfUser(session, decl->getLocation())) { continue; }
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
      if (const auto value = valueOf(*variable, session.context())) {
        constants.emplace(variable->getNameAsString(), *value);
      }
    } else if (const auto* list = llvm::dyn_cast<clang::EnumDecl>(decl)) {
      for (const clang::EnumConstantDecl* one : list->enumerators()) {
        if (const auto value = asInteger(one->getInitVal()); value && !list->isInvalidDecl()) {
          constants.emplace(one->getNameAsString(), *value);
        }
      }
    }
  }
}

bool mayBeInteger(const clang::Token& token, const clang::Preprocessor& preprocessor) {
  if (token.is(clang::tok::numeric_constant)) { return preprocessor.getSpelling(token).find('.') == std::string::npos; }
  using enum clang::tok::TokenKind;
  return token.isAnyIdentifier() ||
         token.isOneOf(l_paren, r_paren, plus, minus, star, slash, percent, lessless, greatergreater, question, colon,
                       less, greater, lessequal, greaterequal, equalequal, exclaimequal, ampamp, pipepipe, exclaim,
                       tilde, amp, pipe, caret, kw_int, kw_unsigned, kw_long, kw_sizeof, kw_float, kw_double);
}

/// The macros whose expansion may be an integer, by name.
std::map<std::string, std::string> integerMacros(const ClangSession& session) {
  clang::Preprocessor& preprocessor = session.preprocessor();
  std::map<std::string, std::string> macros;
  for (const auto& [identifier, unused] : preprocessor.macros()) {
    const clang::MacroInfo* const macro = preprocessor.getMacroInfo(identifier);
    if (macro == nullptr || !macro->isObjectLike() || macro->tokens_empty()) { continue; }
    if (!isOfUser(session, macro->getDefinitionLoc())) { continue; }
    const bool integer =
        std::ranges::all_of(macro->tokens(), [&](const auto& token) { return mayBeInteger(token, preprocessor); });
    if (!integer) { continue; }
    std::string& body = macros[identifier->getName().str()];
    for (const clang::Token& token : macro->tokens()) { body += preprocessor.getSpelling(token) + " "; }
  }
  return macros;
}

}  // namespace

Constants integerConstants(const ClangSession& session) {
  Constants constants;
  addDeclared(session, *session.context().getTranslationUnitDecl(), constants);
  const std::map<std::string, std::string> macros = integerMacros(session);
  if (macros.empty()) { return constants; }
  // A second, small text evaluates the macros: an error in one of them does not affect the others.
  std::string text;
  for (const auto& [name, value] : constants) {
    if (!macros.contains(name)) { text += fmt::format("constexpr long long {} = {};\n", name, value); }
  }
  for (const auto& [name, body] : macros) { text += fmt::format("#define {} {}\n", name, body); }
  for (const auto& [name, unused] : macros) {
    text += fmt::format("constexpr long long {}{} = ({});\n", kPrefix, name, name);
  }
  ClangSession macroValues(text, {});
  macroValues.parse();
  Constants evaluated;
  addDeclared(macroValues, *macroValues.context().getTranslationUnitDecl(), evaluated);
  for (const auto& [name, value] : evaluated) {
    if (name.starts_with(kPrefix)) { constants.insert_or_assign(name.substr(kPrefix.size()), value); }
  }
  return constants;
}

}  // namespace haloscope::lowering
