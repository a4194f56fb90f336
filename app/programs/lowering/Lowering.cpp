#include "lowering/Lowering.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Sema/Sema.h>
#include <fmt/format.h>

#include "frontend/SourceTokens.h"
#include "language/Text.h"
#include "lowering/ClangSession.h"
#include "lowering/CudaLibrary.h"
#include "lowering/DeviceTextReader.h"
#include "lowering/Instrumenter.h"
#include "lowering/KernelList.h"
#include "lowering/KernelLowering.h"
#include "lowering/LoweringError.h"

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

/// The user's integer constants by name: macros, and variables and enumerators at namespace scope.
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

/// Where macros are used in the text, and what they become.
struct Use {
  std::size_t end = 0;
  bool ofPrelude = false;
  std::string expansion;
};

using Uses = std::map<std::size_t, Use>;  // by the first character

class UseCollector : public clang::PPCallbacks {
 public:
  UseCollector(const clang::SourceManager& sources, const clang::LangOptions& language, const ClangSession& session,
               Uses& uses)
      : sources_(sources), language_(language), session_(session), uses_(uses) {}

  void MacroExpands(const clang::Token& name, const clang::MacroDefinition& definition, clang::SourceRange range,
                    const clang::MacroArgs*) override {
    if (!name.getLocation().isFileID() || !range.getEnd().isFileID()) return;
    const ClangSession::Place begin = session_.placeOf(range.getBegin());
    if (begin.path != ClangSession::kTextPath) return;
    const unsigned length = clang::Lexer::MeasureTokenLength(range.getEnd(), sources_, language_);
    const clang::MacroInfo* info = definition.getMacroInfo();
    const std::string home = info == nullptr ? "" : session_.placeOf(info->getDefinitionLoc()).path;
    // Other macros of the prelude have another meaning on the GPU.
    const bool known = name.getIdentifierInfo()->getName() == "assert" ||
                       (home != ClangSession::kPreludePath &&
                        (home == ClangSession::kTextPath || home == ClangSession::kProloguePath ||
                         home.ends_with(".h") || home.ends_with(".cuh")));
    uses_.try_emplace(
        begin.offset,
        Use{.end = session_.placeOf(range.getEnd()).offset + length, .ofPrelude = !known, .expansion = {}});
  }

 private:
  const clang::SourceManager& sources_;
  const clang::LangOptions& language_;
  const ClangSession& session_;
  Uses& uses_;
};

/// A text prepared for rewriting: its own macros, and those that are given, are expanded where they are used, so that
/// each expression has a place. Macros of the prelude stay, with their arguments. Hints to unroll loops are removed,
/// since a statement may be inserted between the hint and the loop; they change no value. Lines keep their numbers;
/// other directives stay.
std::string expandMacros(const std::string& text, const CompileOptions& options) {
  const ClangSession session(text, options);
  clang::Preprocessor& preprocessor = session.sema().getPreprocessor();
  const clang::SourceManager& sources = preprocessor.getSourceManager();
  Uses uses;
  preprocessor.addPPCallbacks(std::make_unique<UseCollector>(sources, preprocessor.getLangOpts(), session, uses));
  preprocessor.EnterMainSourceFile();
  clang::Token token;
  for (preprocessor.Lex(token); token.isNot(clang::tok::eof); preprocessor.Lex(token)) {
    if (!token.getLocation().isMacroID() || token.isAnnotation()) continue;
    const ClangSession::Place place = session.placeOf(token.getLocation());
    const auto use = place.path == ClangSession::kTextPath ? uses.find(place.offset) : uses.end();
    if (use != uses.end()) use->second.expansion += " " + preprocessor.getSpelling(token);
  }

  const frontend::SourceTokens tokens(text);
  std::string source = text;
  for (const frontend::TextRange& hint : tokens.loopHints()) {
    for (std::size_t at = hint.begin; at < hint.end; ++at) {
      if (source[at] != '\n') source[at] = ' ';
    }
  }
  std::string expanded;
  std::size_t copied = 0, kept = 0;
  for (const auto& [begin, use] : uses) {
    const bool inDirective = std::ranges::any_of(
        tokens.directives(),
        [at = begin](const frontend::SourceTokens::Directive& one) { return one.where.contains(at); });
    if (use.ofPrelude) kept = std::max(kept, use.end);
    // Within `__launch_bounds__(MAX_THREADS)` a macro is expanded with the enclosing one.
    if (begin < copied || begin < kept || use.end > source.size() || inDirective) continue;
    expanded += source.substr(copied, begin - copied) + use.expansion + " ";
    expanded.append(static_cast<std::size_t>(std::count(source.begin() + static_cast<std::ptrdiff_t>(begin),
                                                        source.begin() + static_cast<std::ptrdiff_t>(use.end), '\n')),
                    '\n');
    copied = use.end;
  }
  return expanded + source.substr(copied);
}

std::string names(const std::vector<ListedKernel>& kernels) {
  std::string list;
  for (const ListedKernel& kernel : kernels) { list += (list.empty() ? "" : ", ") + kernel.name; }
  return list;
}

template <typename Kind = CompileError>
Kind error(const std::string& file, const SourceRange& where, const std::string& message) {
  return {file, {{Diagnostic::Severity::Error, where, message}}};
}

const ListedKernel& choose(const std::string& file, const std::vector<ListedKernel>& kernels,
                           const std::string& wanted) {
  if (kernels.empty()) throw error<NoSuchKernel>(file, {}, tr("no kernel: no __global__ function with a body"));
  const auto matches = [&](const ListedKernel& kernel) {
    return kernel.name == wanted || kernel.functionName == wanted || kernel.symbol == wanted;
  };
  auto chosen = std::ranges::find_if(kernels, matches);
  if (wanted.empty()) {
    const auto ready = std::ranges::find_if(kernels, [](const ListedKernel& kernel) { return kernel.definition; });
    chosen = ready == kernels.end() ? kernels.begin() : ready;
  }
  if (chosen == kernels.end()) {
    throw error<NoSuchKernel>(file, {}, tr("no kernel named '") + wanted + tr("'; there are: ") + names(kernels));
  }
  if (chosen->definition == nullptr) {
    throw error(file, chosen->where,
                tr("kernel template '") + chosen->name +
                    "' is never instantiated: give its parameters defaults, or add 'template __global__ void " +
                    chosen->name + "<…>(…);'");
  }
  return *chosen;
}

void throwIfAny(const std::string& file, std::vector<Diagnostic> errors) {
  if (!errors.empty()) throw CompileError(file, std::move(errors));
}

std::vector<Diagnostic> asWarnings(std::vector<Diagnostic> diagnostics) {
  for (Diagnostic& one : diagnostics) { one.severity = Diagnostic::Severity::Warning; }
  return diagnostics;
}

/// Whether it copies asynchronously, or uses barriers in shared memory or of clusters: what CUDA's library does for
/// that is replaced by functions that log it.
bool copiesOrMeets(const Program& program) {
  return usesClusters(program) || std::ranges::any_of(program.code, [](const Instruction& one) {
           return one.async || one.op == Opcode::MemoryBarrier || one.op == Opcode::CopyCommit ||
                  one.op == Opcode::CopyWait;
         });
}

}  // namespace

CompileResult compile(const std::string& file, const std::string& text, const CompileOptions& options) {
  ClangSession session(text, options);
  session.parse();
  const std::vector<ListedKernel> kernels = listKernels(session);
  if (kernels.empty()) throwIfAny(file, session.errors());  // they may explain why there is none
  throwIfAny(file, session.generalErrors());
  const ListedKernel& kernel = choose(file, kernels, options.kernel);
  throwIfAny(file, session.errorsIn(kernel.where));

  CompileResult result;
  for (const ListedKernel& one : kernels) { result.kernels.push_back(one.name); }
  try {
    KernelLowering lowering(session, options.executed);
    result.program = lowering.lower(*kernel.definition, kernel.name);
    result.warnings = asWarnings(session.diagnostics());
    result.asked = session.asked();
    result.warnings.insert(result.warnings.end(), lowering.warnings().begin(), lowering.warnings().end());
  } catch (const LoweringError& refused) {
    const SourceRange where = refused.where().valid() ? refused.where() : kernel.where;
    throw CompileError(file, {{Diagnostic::Severity::Error, where, refused.what(), refused.header()}});
  }
  return result;
}

DeviceText deviceText(const std::string& file, const std::string& text, const CompileOptions& options) {
  ClangSession session(text, options);
  session.parse();
  const std::vector<ListedKernel> kernels = listKernels(session);
  const ListedKernel& kernel = choose(file, kernels, options.kernel);
  return DeviceTextReader(session, text, options).read(*kernel.definition);
}

InstrumentedText instrument(const std::string& file, const std::string& text, const CompileOptions& options) {
  const std::string expanded = expandMacros(text, options);
  ClangSession session(expanded, options);
  session.parse();
  const std::vector<ListedKernel> kernels = listKernels(session);
  const ListedKernel& kernel = choose(file, kernels, options.kernel);
  throwIfAny(file, session.errorsIn(kernel.where));
  InstrumentedText result;
  try {
    KernelLowering lowering(session, options.executed);
    result.program = lowering.lower(*kernel.definition, kernel.name);
    const std::string library = copiesOrMeets(result.program) ? loggedCudaLibrary(expanded, options) : "";
    result.device = DeviceTextReader(session, expanded, options).read(*kernel.definition, library);
    Instrumenter instrumenter(session, result.program);
    instrumenter.instrument(*kernel.definition);
    result.device.text = instrumenter.apply(result.device.text);
    result.device.prologue += frontend::logPrelude();
    result.sites = instrumenter.sites();
  } catch (const LoweringError& refused) {
    const SourceRange where = refused.where().valid() ? refused.where() : kernel.where;
    throw CompileError(file, {{Diagnostic::Severity::Error, where, refused.what(), refused.header()}});
  }
  return result;
}

TextSummary summarize(const std::string& text, const CompileOptions& options) {
  ClangSession session(text, options);
  session.parse();
  TextSummary summary;
  for (const ListedKernel& kernel : listKernels(session)) {
    summary.kernels.push_back(
        {kernel.name, kernel.functionName, kernel.where, kernel.definition != nullptr, kernel.symbol});
  }
  summary.diagnostics = session.diagnostics();
  summary.helperErrors = session.helperErrors();
  summary.constants = integerConstants(session);
  return summary;
}

frontend::Answer answer(const frontend::Request& request) {
  using frontend::Refusal;
  using What = frontend::Request::What;
  try {
    switch (request.what) {
      case What::Compile:
        return lowering::compile(request.file, request.text, request.options);
      case What::Summarize:
        return lowering::summarize(request.text, request.options);
      case What::DeviceText:
        return lowering::deviceText(request.file, request.text, request.options);
      case What::Instrument:
        return lowering::instrument(request.file, request.text, request.options);
    }
    return Refusal{};
  } catch (const NoSuchKernel& error) {
    return Refusal{.why = Refusal::Why::NoSuchKernel, .diagnostics = error.diagnostics()};
  } catch (const CompileError& error) {
    return Refusal{.why = Refusal::Why::NotCompilable, .diagnostics = error.diagnostics()};
  } catch (const InputError& error) {
    return Refusal{.why = Refusal::Why::BadInput, .message = error.message()};
  } catch (const std::logic_error& error) { return Refusal{.why = Refusal::Why::Failed, .message = error.what()}; }
}

}  // namespace haloscope::lowering
