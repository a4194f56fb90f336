#include "lowering/TokenLimit.h"

#include <utility>

#include <clang/Basic/Diagnostic.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/Token.h>

namespace haloscope::lowering {

namespace {

/// A kernel has a few thousand tokens. Macros can make any number of them, and Clang recurses over nested ones.
constexpr std::size_t kMaxTokens = 100'000;
/// `- - - - x` and `if (a) if (a) x;` nest without a brace, so Clang's own limit on brackets does not see them.
constexpr unsigned kMaxOperatorsInARow = 256;
constexpr unsigned kMaxBareStatements = 512;
/// `if (a) {} else if (b) {} else …`: Clang looks a name up in every enclosing statement.
constexpr unsigned kMaxElses = 2048;
/// `a < b < c …`: Clang traverses the whole expression again for each operator that it warns about.
constexpr unsigned kMaxComparisons = 2048;
/// `int a[1][1][1]…`: Clang visits every type again for each dimension.
constexpr unsigned kMaxSubscripts = 8192;
/// Clang compares an unknown name with all others, letter by letter.
constexpr unsigned kMaxNameLength = 1024;

}  // namespace

void TokenLimit::operator()(const clang::Token& token) {
  const bool prefix = token.isOneOf(clang::tok::exclaim, clang::tok::tilde, clang::tok::minus, clang::tok::plus,
                                    clang::tok::star, clang::tok::amp);
  operators_ = prefix ? operators_ + 1 : 0;
  if (token.isOneOf(clang::tok::kw_if, clang::tok::kw_for, clang::tok::kw_while, clang::tok::kw_do)) {
    ++bareStatements_;
  } else if (token.isOneOf(clang::tok::l_brace, clang::tok::r_brace)) {
    bareStatements_ = 0;
  }
  if (token.is(clang::tok::kw_else)) ++elses_;
  if (token.is(clang::tok::l_square)) ++subscripts_;
  if (token.is(clang::tok::semi)) subscripts_ = 0;
  const bool longName = token.isAnyIdentifier() && token.getLength() > kMaxNameLength;
  const bool separator = token.isOneOf(clang::tok::semi, clang::tok::comma, clang::tok::l_brace, clang::tok::r_brace);
  const bool comparison =
      token.isOneOf(clang::tok::less, clang::tok::greater, clang::tok::equalequal, clang::tok::ampamp,
                    clang::tok::pipepipe, clang::tok::lessless, clang::tok::greatergreater);
  comparisons_ = separator ? 0 : comparisons_ + (comparison ? 1 : 0);
  const bool tooMany = longName || ++tokens_ > kMaxTokens || operators_ > kMaxOperatorsInARow ||
                       bareStatements_ > kMaxBareStatements || subscripts_ > kMaxSubscripts || elses_ > kMaxElses ||
                       comparisons_ > kMaxComparisons;
  // After too many errors nothing more is reported, and parsing on would take long.
  clang::DiagnosticsEngine& diagnostics = preprocessor_.getDiagnostics();
  const bool ended = diagnostics.hasFatalErrorOccurred();
  if ((!tooMany && !ended) || token.is(clang::tok::eof)) return;
  if (!ended && !std::exchange(reported_, true)) {
    diagnostics.Report(token.getLocation(),
                       diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Fatal,
                                                   "the text is too large or too deeply nested to be read"));
  }
  // The token that the preprocessor passes is its own and writable; there is no other way to stop the parser.
  const_cast<clang::Token&>(token).setKind(clang::tok::eof);
}

}  // namespace haloscope::lowering
