#include "lowering/MacroExpansion.h"

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include <clang/Lex/Preprocessor.h>
#include <clang/Sema/Sema.h>

#include "frontend/SourceTokens.h"
#include "lowering/ClangSession.h"

namespace haloscope::lowering {

namespace {

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

}  // namespace

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

}  // namespace haloscope::lowering
