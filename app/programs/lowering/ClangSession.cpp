#include "lowering/ClangSession.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/Builtins.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/TargetInfo.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Parse/ParseAST.h>
#include <clang/Sema/Sema.h>
#include <fmt/format.h>
#include <llvm/Support/VirtualFileSystem.h>

#include "frontend/AssertHeader.h"
#include "frontend/TellingMacros.h"
#include "host/DebugPragmas.h"
#include "language/Text.h"
#include "lowering/CudaLibrary.h"
#include "lowering/DiagnosticCollector.h"
#include "lowering/TokenLimit.h"
#include "preludes/HalfPrelude.h"
#include "preludes/Prelude.h"
#include "preludes/TexturePrelude.h"
#include "preludes/ToolkitHeaders.h"
#include "program/Misspelling.h"
#include "program/NotebookLines.h"
#include "program/NvccMacros.h"
#include "program/TextureTable.h"
#include "program/VectorTypes.h"

namespace haloscope::lowering {

namespace {

/// Of the headers that texts include and do not have.
constexpr const char* kSystemFolder = "/system";

/// Functions, variables and types, including instances of templates.
constexpr std::size_t kMaxDefinitions = 20'000;

bool isDevice(const clang::Decl* decl) {
  if (const auto* function = llvm::dyn_cast<clang::FunctionTemplateDecl>(decl)) decl = function->getTemplatedDecl();
  return decl->hasAttr<clang::CUDAGlobalAttr>() || decl->hasAttr<clang::CUDADeviceAttr>() ||
         decl->hasAttr<clang::CUDASharedAttr>() || decl->hasAttr<clang::CUDAConstantAttr>();
}

bool isKernel(const clang::Decl* decl) {
  if (const auto* function = llvm::dyn_cast<clang::FunctionTemplateDecl>(decl)) decl = function->getTemplatedDecl();
  return decl->hasAttr<clang::CUDAGlobalAttr>();
}

/// Decides which bodies Clang may skip, and stops endless template instantiation.
class DeviceCodeOnly : public clang::ASTConsumer {
 public:
  explicit DeviceCodeOnly(clang::LangOptions& options) : options_(options) {}

  bool shouldSkipFunctionBody(clang::Decl* decl) override { return !isDevice(decl); }

  void Initialize(clang::ASTContext& context) override { diagnostics_ = &context.getDiagnostics(); }
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    count(group.isNull() ? clang::SourceLocation() : (*group.begin())->getLocation());
    return true;
  }
  void HandleTagDeclDefinition(clang::TagDecl* tag) override { count(tag->getLocation()); }

 private:
  /// Clang limits the depth of instantiations, not their number; with a depth limit of 0 it rejects the next one.
  void count(const clang::SourceLocation& where) {
    if (++definitions_ <= kMaxDefinitions || options_.InstantiationDepth == 0) return;
    options_.InstantiationDepth = 0;
    diagnostics_->Report(where,
                         diagnostics_->getCustomDiagID(clang::DiagnosticsEngine::Fatal,
                                                       "template instantiation makes more than %0 functions and types"))
        << static_cast<unsigned>(kMaxDefinitions);
  }

  clang::LangOptions& options_;
  clang::DiagnosticsEngine* diagnostics_ = nullptr;
  std::size_t definitions_ = 0;
};

/// Warns of the user's own headers that were not found.
class IncludeWatcher : public clang::PPCallbacks {
 public:
  explicit IncludeWatcher(clang::Preprocessor& preprocessor) : preprocessor_(preprocessor) {}

  void InclusionDirective(clang::SourceLocation hash, const clang::Token&, llvm::StringRef name, bool isAngled,
                          clang::CharSourceRange, clang::OptionalFileEntryRef file, llvm::StringRef, llvm::StringRef,
                          const clang::Module*, bool, clang::SrcMgr::CharacteristicKind) override {
    if (file || isAngled || preludes::isToolkitHeader(std::string_view(name))) return;
    clang::DiagnosticsEngine& diagnostics = preprocessor_.getDiagnostics();
    diagnostics.Report(
        hash, diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Warning, "'%0' was not found and is not read"))
        << name;
  }

 private:
  clang::Preprocessor& preprocessor_;
};

/// Notes which macros a text asks for.
class AskedMacros : public clang::PPCallbacks {
 public:
  explicit AskedMacros(ClangSession& session) : session_(session) {}

  void MacroExpands(const clang::Token& name, const clang::MacroDefinition&, clang::SourceRange where,
                    const clang::MacroArgs*) override {
    note(name, where.getBegin());
  }
  void Defined(const clang::Token& name, const clang::MacroDefinition&, clang::SourceRange where) override {
    note(name, where.getBegin());
  }
  void Ifdef(clang::SourceLocation, const clang::Token& name, const clang::MacroDefinition&) override {
    note(name, name.getLocation());
  }
  void Ifndef(clang::SourceLocation, const clang::Token& name, const clang::MacroDefinition&) override {
    note(name, name.getLocation());
  }
  using PPCallbacks::Elifdef;
  using PPCallbacks::Elifndef;
  void Elifdef(clang::SourceLocation, const clang::Token& name, const clang::MacroDefinition&) override {
    note(name, name.getLocation());
  }
  void Elifndef(clang::SourceLocation, const clang::Token& name, const clang::MacroDefinition&) override {
    note(name, name.getLocation());
  }

 private:
  void note(const clang::Token& name, clang::SourceLocation where) {
    if (session_.inUserText(where)) session_.noteAsked(name.getIdentifierInfo()->getName().str(), where);
  }

  ClangSession& session_;
};

/// The architecture whose __CUDA_ARCH__ the text sees: that of bulk copies and clusters where it has them.
const char* architectureFor(const std::string& text, const CompileOptions& options) {
  const auto newer = {"cp.async.bulk", "cp_async_bulk", "memcpy_async_tx", "__cluster", "this_cluster"};
  const bool has = std::ranges::any_of(newer, [&](const char* word) { return mentions(text, options, word); });
  return has ? "sm_90" : "sm_80";
}

/// From here on the text sees the macros of nvcc.
std::string nvccMacros() {
  std::string lines;
  for (const std::string& name : macrosOfClang()) { lines += fmt::format("#undef {}\n", name); }
  for (const NvccMacro& one : kMacrosOfNvcc) {
    lines += fmt::format("#undef {}\n", one.name);
    if (one.value != nullptr) { lines += fmt::format("#define {} {}\n", one.name, one.value); }
  }
  return lines;
}

/// The prelude, with the further CUDA headers that the text, or a header that it includes, names.
std::string preludeFor(const std::string& text, const CompileOptions& options) {
  const auto names = [&](std::string_view header) { return mentions(text, options, header); };
  std::string prelude =
      std::string(kVectorTypes) + preludes::kPrelude + frontend::assertBefore(options) + cudaLibrary(text, options);
  if (names("cudaTextureObject_t") || names("cudaSurfaceObject_t")) {
    prelude += kTextureTable;
    prelude += preludes::kTextures;
  }
  if (names(preludes::kHalfHeader)) prelude += preludes::kHalfPrecision;
  // nvcc takes it behind __shared__, Clang only before; as an attribute of GNU's it may be in either place.
  if (names("__shared__ alignas")) prelude += "#define alignas(n) __attribute__((aligned(n)))\n";
  return prelude + nvccMacros();
}

/// The text after the prelude: one #define a line. The user's macros do not affect the prelude.
std::string definitions(const std::map<std::string, std::string>& defines) {
  std::string lines;
  for (const auto& [name, value] : defines) {
    constexpr const char* kMoreThanALine = "\n\r\\";
    const bool oneLine = name.find_first_of(kMoreThanALine) == std::string::npos &&
                         value.find_first_of(kMoreThanALine) == std::string::npos;
    if (name.empty() || !oneLine) throw InputError(trf("not a macro definition: {}={}", name, value));
    lines += fmt::format("#define {} {}\n", name, value);
  }
  return lines;
}

/// Host variables that hold the address of each instance make Clang instantiate them.
std::string wanted(const std::vector<std::string>& instances) {
  std::string lines;
  for (std::size_t i = 0; i < instances.size(); ++i) {
    if (instances[i].find_first_of("\n\r\\;") != std::string::npos) continue;
    lines += "\nstatic void *haloscope_instance_" + std::to_string(i) + " = (void *)&" + instances[i] + ";";
  }
  return lines;
}

/// Lets given macros override the text's own definitions.
class GivenMacros : public clang::PPCallbacks {
 public:
  GivenMacros(clang::Preprocessor& preprocessor, const std::map<std::string, std::string>& defines)
      : preprocessor_(preprocessor), defines_(defines) {}

  void MacroDefined(const clang::Token& name, const clang::MacroDirective* directive) override {
    clang::IdentifierInfo* identifier = name.getIdentifierInfo();
    if (!defines_.contains(identifier->getName().str())) return;
    const auto [given, first] = given_.try_emplace(identifier, directive->getMacroInfo());
    if (!first) preprocessor_.appendDefMacroDirective(identifier, const_cast<clang::MacroInfo*>(given->second));
  }

 private:
  clang::Preprocessor& preprocessor_;
  std::map<std::string, std::string> defines_;
  std::map<const clang::IdentifierInfo*, const clang::MacroInfo*> given_;
};

}  // namespace

ClangSession::ClangSession(const std::string& text, const CompileOptions& options)
    : collector_(std::make_unique<DiagnosticCollector>(*this)), compiler_(std::make_unique<clang::CompilerInstance>()) {
  setUp(text, options);
}

ClangSession::~ClangSession() = default;

void ClangSession::setUp(const std::string& text, const CompileOptions& options) {
  const std::string before = definitions(options.defines) + options.prologue + "\n";
  clang::CompilerInstance& compiler = *compiler_;
  compiler.createDiagnostics(collector_.get(), /*ShouldOwnClient=*/false);
  // Arguments of the compiler proper (-cc1); the driver would only add paths, and costs more than the parse.
  const char* arguments[] = {
      "-triple",
      "nvptx64-nvidia-cuda",
      "-aux-triple",
      "x86_64-unknown-linux-gnu",
      "-target-cpu",
      architectureFor(text, options),
      "-fcuda-is-device",
      "-fcuda-allow-variadic-functions",
      "-std=c++20",
      "-fno-builtin",
      "-nostdsysteminc",
      "-nobuiltininc",
      "-isystem",
      kSystemFolder,
      "-fbracket-depth",
      "128",
      "-ftemplate-depth=64",
      "-fconstexpr-depth=64",
      "-fconstexpr-steps=100000",
      "-Wno-unknown-attributes",
      "-Wno-pragma-once-outside-header",
      "-Wno-unused-value",
      "-Wno-macro-redefined",
      "-Wno-builtin-macro-redefined",
      "-Wundef",
      "-include",
      kPreludePath,
      "-include",
      kProloguePath,
      "-x",
      "cuda",
      kTextPath,
  };
  const bool understood =
      clang::CompilerInvocation::CreateFromArgs(compiler.getInvocation(), arguments, compiler.getDiagnostics());
  // The word is an error in Clang, not in nvcc. An option would come too late, too.
  compiler.getDiagnostics().setSeverityForGroup(clang::diag::Flavor::WarningOrError, "register",
                                                clang::diag::Severity::Ignored);
  compiler.getDiagnostics().setErrorLimit(100);  // the engine was created before the arguments
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  // Clang finds columns quickly in a line that ends with a newline, and slowly in one that does not.
  files->addFile(
      kTextPath, 0,
      llvm::MemoryBuffer::getMemBufferCopy(withoutNotebookLines(text) + "\n" + wanted(options.instances), kTextPath));
  files->addFile(kPreludePath, 0, llvm::MemoryBuffer::getMemBufferCopy(preludeFor(text, options), kPreludePath));
  files->addFile(kProloguePath, 0, llvm::MemoryBuffer::getMemBufferCopy(before, kProloguePath));
  for (const char* name : {"assert.h", "cassert"}) {
    files->addFile(std::string(kSystemFolder) + "/" + name, 0,
                   llvm::MemoryBuffer::getMemBuffer(frontend::kAssertHeader));
  }
  for (const auto& [name, content] : options.headers) {
    const std::string path = (std::filesystem::path("/") / name).lexically_normal().string();
    files->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(content, path));
    headers_.emplace(path, name);
  }
  compiler.createFileManager(files);
  compiler.createSourceManager(compiler.getFileManager());
  const bool ready =
      understood && compiler.createTarget() &&
      compiler.InitializeSourceManager(clang::FrontendInputFile(kTextPath, clang::InputKind(clang::Language::CUDA)));
  if (!ready) {
    const bool known = !collector_->diagnostics.empty();
    throw std::logic_error(tr("Clang cannot be started: ") + (known ? collector_->diagnostics.front().message : ""));
  }
  compiler.createPreprocessor(clang::TU_Complete);
  compiler.getPreprocessor().getBuiltinInfo().initializeBuiltins(compiler.getPreprocessor().getIdentifierTable(),
                                                                 compiler.getLangOpts());
  compiler.createASTContext();
  compiler.setASTConsumer(std::make_unique<DeviceCodeOnly>(compiler.getLangOpts()));
  compiler.createSema(clang::TU_Complete, nullptr);
  host::ignoreDebugPragmas(compiler.getPreprocessor());
  // No header is read from disk: the prelude declares what kernels need of CUDA and the standard library.
  compiler.getPreprocessor().SetSuppressIncludeNotFoundError(true);
  compiler.getPreprocessor().addPPCallbacks(std::make_unique<IncludeWatcher>(compiler.getPreprocessor()));
  compiler.getPreprocessor().addPPCallbacks(std::make_unique<GivenMacros>(compiler.getPreprocessor(), options.defines));
  compiler.getPreprocessor().addPPCallbacks(std::make_unique<AskedMacros>(*this));
  compiler.getPreprocessor().setTokenWatcher(TokenLimit(compiler.getPreprocessor()));
}

void ClangSession::parse() {
  collector_->BeginSourceFile(compiler_->getLangOpts(), &compiler_->getPreprocessor());
  clang::ParseAST(compiler_->getSema(), /*PrintStats=*/false, /*SkipFunctionBodies=*/true);
  collector_->EndSourceFile();
  suggestMacros();
}

void ClangSession::noteAsked(const std::string& name, const clang::SourceLocation& where) {
  const bool known = std::ranges::find(asked_, name, &Diagnostic::name) != asked_.end();
  if (known || !frontend::isTelling(name) || !inUserText(where)) return;
  Diagnostic one{.severity = Diagnostic::Severity::Warning, .where = {}, .message = {}, .name = name};
  place(one, where);
  asked_.push_back(std::move(one));
}

std::vector<std::string> ClangSession::macrosOfTheText() const {
  const clang::Preprocessor& preprocessor = compiler_->getPreprocessor();
  const clang::SourceManager& sources = compiler_->getSourceManager();
  std::vector<std::string> names;
  for (const auto& [identifier, state] : preprocessor.macros(false)) {
    const clang::MacroDirective* directive = preprocessor.getLocalMacroDirectiveHistory(identifier);
    for (; directive != nullptr; directive = directive->getPrevious()) {
      const clang::SourceLocation where = directive->getLocation();
      if (where.isInvalid() || where.isMacroID()) continue;
      const bool own = sources.isWrittenInMainFile(where) || headers_.contains(sources.getFilename(where).str());
      if (!own) continue;
      names.push_back(identifier->getName().str());
      break;
    }
  }
  std::ranges::sort(names);
  return names;
}

void ClangSession::suggestMacros() {
  std::optional<std::vector<std::string>> macros;
  for (Diagnostic& one : collector_->diagnostics) {
    if (one.kind != Diagnostic::Kind::UndeclaredIdentifier || isMisspelling(one.name, one.suggestion)) continue;
    if (!macros) macros = macrosOfTheText();
    const std::string* nearest = nullptr;
    for (const std::string& macro : *macros) {
      if (!isMisspelling(one.name, macro)) continue;
      if (nearest == nullptr || editDistance(one.name, macro) < editDistance(one.name, *nearest)) nearest = &macro;
    }
    if (nearest == nullptr) continue;
    one.suggestion = *nearest;
    one.message = trf("use of undeclared identifier '{}'; did you mean '{}'?", one.name, one.suggestion);
  }
}

const std::vector<Diagnostic>& ClangSession::diagnostics() const { return collector_->diagnostics; }

template <typename Condition>
std::vector<Diagnostic> ClangSession::errorsWhere(Condition condition) const {
  std::vector<Diagnostic> found;
  for (std::size_t i = 0; i < collector_->diagnostics.size(); ++i) {
    const bool error = collector_->diagnostics[i].severity == Diagnostic::Severity::Error;
    if (error && condition(collector_->places[i])) found.push_back(collector_->diagnostics[i]);
  }
  return found;
}

std::vector<Diagnostic> ClangSession::errors() const {
  return errorsWhere([](const clang::SourceLocation&) { return true; });
}

std::vector<clang::SourceLocation> ClangSession::errorPlaces() const {
  std::vector<clang::SourceLocation> found;
  for (std::size_t i = 0; i < collector_->diagnostics.size(); ++i) {
    const bool error = collector_->diagnostics[i].severity == Diagnostic::Severity::Error;
    if (error && collector_->places[i].isValid()) { found.push_back(collector_->places[i]); }
  }
  return found;
}

ClangSession::Place ClangSession::placeOf(const clang::SourceLocation& where) const {
  const clang::SourceManager& sources = compiler_->getSourceManager();
  const clang::SourceLocation expanded = sources.getExpansionLoc(where);
  return {sources.getFilename(expanded).str(), sources.getFileOffset(expanded)};
}

std::vector<Diagnostic> ClangSession::errorsIn(const SourceRange& range) const {
  std::vector<Diagnostic> found = errors();
  std::erase_if(found, [&](const Diagnostic& one) { return !one.header.empty() || !range.holdsBeginOf(one.where); });
  return found;
}

std::vector<Diagnostic> ClangSession::errorsIn(const clang::Decl& decl) const {
  return errorsWhere([&](const clang::SourceLocation& where) { return isInside(where, decl); });
}

std::vector<Diagnostic> ClangSession::helperErrors() const {
  return errorsWhere([&](const clang::SourceLocation& where) {
    return std::ranges::any_of(context().getTranslationUnitDecl()->decls(), [&](const clang::Decl* decl) {
      const bool function = llvm::isa<clang::FunctionDecl, clang::FunctionTemplateDecl>(decl);
      return function && isDevice(decl) && !isKernel(decl) && isInside(where, *decl);
    });
  });
}

std::vector<Diagnostic> ClangSession::generalErrors() const {
  // Lines with names of host libraries, where Clang also reports errors that follow from the unknown name.
  std::set<std::pair<std::string, int>> hostLines;
  std::vector<Diagnostic> found = errorsWhere([&](const clang::SourceLocation& where) {
    return std::ranges::none_of(context().getTranslationUnitDecl()->decls(), [&](const clang::Decl* decl) {
      const bool function = llvm::isa<clang::FunctionDecl, clang::FunctionTemplateDecl>(decl);
      const bool hostVariable = llvm::isa<clang::VarDecl>(decl) && !isDevice(decl);
      return (function || hostVariable) && isInside(where, *decl);
    });
  });
  const std::vector<Diagnostic> ofDeviceVariables =
      errorsWhere([&](const clang::SourceLocation& where) { return isInDeviceVariable(where); });
  for (const Diagnostic& one : found) {
    const bool device = std::ranges::any_of(ofDeviceVariables, [&](const Diagnostic& other) {
      return other.where == one.where && other.header == one.header;
    });
    if (one.kind != Diagnostic::Kind::Other && !device) hostLines.insert({one.header, one.where.line});
  }
  std::erase_if(found, [&](const Diagnostic& one) { return hostLines.contains({one.header, one.where.line}); });
  return found;
}

bool ClangSession::isInside(const clang::SourceLocation& where, const clang::Decl& decl) const {
  if (where.isInvalid()) return false;
  const clang::SourceManager& sources = compiler_->getSourceManager();
  const clang::CharSourceRange own = sources.getExpansionRange(decl.getSourceRange());
  if (own.isInvalid()) return false;
  const auto [file, at] = sources.getDecomposedLoc(sources.getExpansionLoc(where));
  const auto [beginFile, begin] = sources.getDecomposedLoc(own.getBegin());
  const auto [endFile, end] = sources.getDecomposedLoc(own.getEnd());
  const unsigned length = clang::Lexer::MeasureTokenLength(own.getEnd(), sources, compiler_->getLangOpts());
  return file == beginFile && file == endFile && begin <= at && at <= end + length;
}

bool ClangSession::isInDeviceVariable(const clang::SourceLocation& where) const {
  return std::ranges::any_of(context().getTranslationUnitDecl()->decls(), [&](const clang::Decl* decl) {
    return llvm::isa<clang::VarDecl>(decl) && isDevice(decl) && isInside(where, *decl);
  });
}

void ClangSession::place(Diagnostic& diagnostic, const clang::SourceRange& where) const {
  diagnostic.where = range(where);
  if (diagnostic.where.valid()) return;
  const clang::SourceManager& sources = compiler_->getSourceManager();
  const clang::PresumedLoc begin = sources.getPresumedLoc(sources.getExpansionLoc(where.getBegin()), false);
  const auto header = begin.isValid() ? headers_.find(begin.getFilename()) : headers_.end();
  if (header == headers_.end()) return;
  diagnostic.header = header->second;
  const int line = static_cast<int>(begin.getLine());
  const int column = static_cast<int>(begin.getColumn());
  diagnostic.where = {.line = line, .column = column, .endLine = line, .endColumn = column + 1};
}

clang::ASTContext& ClangSession::context() const { return compiler_->getASTContext(); }
clang::Sema& ClangSession::sema() const { return compiler_->getSema(); }

clang::Preprocessor& ClangSession::preprocessor() const { return compiler_->getPreprocessor(); }

bool ClangSession::inUserText(const clang::SourceLocation& where) const {
  const clang::SourceManager& sources = compiler_->getSourceManager();
  return where.isValid() && sources.isWrittenInMainFile(sources.getExpansionLoc(where));
}

SourceRange ClangSession::range(const clang::SourceRange& where) const {
  if (!inUserText(where.getBegin())) return {};
  const clang::SourceManager& sources = compiler_->getSourceManager();
  const clang::CharSourceRange expanded = sources.getExpansionRange(where);
  const clang::SourceLocation begin = expanded.getBegin();
  clang::SourceLocation end = expanded.getEnd();
  if (!inUserText(end)) end = begin;
  const unsigned length =
      expanded.isTokenRange() ? clang::Lexer::MeasureTokenLength(end, sources, compiler_->getLangOpts()) : 0;
  return {.line = static_cast<int>(sources.getSpellingLineNumber(begin)),
          .column = static_cast<int>(sources.getSpellingColumnNumber(begin)),
          .endLine = static_cast<int>(sources.getSpellingLineNumber(end)),
          .endColumn = static_cast<int>(sources.getSpellingColumnNumber(end) + length)};
}

std::string_view ClangSession::spelling(const clang::SourceRange& where) const {
  if (!inUserText(where.getBegin())) return {};
  const clang::SourceManager& sources = compiler_->getSourceManager();
  const llvm::StringRef text =
      clang::Lexer::getSourceText(sources.getExpansionRange(where), sources, compiler_->getLangOpts());
  return {text.data(), text.size()};
}

}  // namespace haloscope::lowering
