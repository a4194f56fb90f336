#include "frontend/SourceTokens.h"

#include <algorithm>
#include <utility>

#include "frontend/RawLexer.h"

namespace haloscope::frontend {

namespace {

/// "FILE.h" or <FILE.h>.
std::string fileName(std::string_view line) {
  const std::size_t begin = line.find_first_of("\"<");
  if (begin == std::string_view::npos) return {};
  const std::size_t end = line.find(line[begin] == '<' ? '>' : '"', begin + 1);
  return end == std::string_view::npos ? std::string() : std::string(line.substr(begin + 1, end - begin - 1));
}

}  // namespace

SourceTokens::SourceTokens(std::string text) : text_(std::make_unique<const std::string>(std::move(text))) {
  RawLexer lexer(*text_);
  std::size_t lineBegin = 0, searched = 0;
  int line = 1;
  bool mayBeginDirective = true;  // nothing but comments on this line so far
  while (const std::optional<RawToken> token = lexer.next()) {
    if (token->startsLine) {
      endDirective();
      mayBeginDirective = true;
    }
    for (; searched < token->begin; ++searched) {
      if ((*text_)[searched] != '\n') continue;
      ++line;
      lineBegin = searched + 1;
    }
    const std::string_view spelling = std::string_view(*text_).substr(token->begin, token->end - token->begin);
    const bool beginsDirective = mayBeginDirective && (spelling == "#" || spelling == "%:");
    mayBeginDirective = mayBeginDirective && token->kind == SourceToken::Kind::Comment;
    add({.kind = token->kind,
         .inDirective = beginsDirective || !openDirective_.empty(),
         .offset = token->begin,
         .length = token->end - token->begin,
         .line = line,
         .column = static_cast<int>(token->begin - lineBegin) + 1,
         .spelling = spelling});
  }
  endDirective();
}

void SourceTokens::add(const SourceToken& token) {
  all_.push_back(token);
  if (token.kind == SourceToken::Kind::Comment) return;
  (token.inDirective ? openDirective_ : code_).push_back(token);
}

void SourceTokens::endDirective() {
  const std::vector<SourceToken> tokens = std::exchange(openDirective_, {});
  if (tokens.size() < 2) return;
  Directive directive{.where = {tokens.front().offset, tokens.back().end()},
                      .word = std::string(tokens[1].spelling),
                      .name = tokens.size() > 2 ? std::string(tokens[2].spelling) : std::string(),
                      .quoted = false,
                      .tokens = tokens};
  if (directive.word == "include") {
    directive.quoted = directive.name.starts_with('"');
    directive.name =
        fileName(std::string_view(*text_).substr(directive.where.begin, directive.where.end - directive.where.begin));
  }
  directives_.push_back(std::move(directive));
}

std::vector<TextRange> SourceTokens::loopHints() const {
  const auto hints = [](std::string_view pragma) {
    return pragma.find("unroll") != std::string_view::npos || pragma.find("clang loop") != std::string_view::npos;
  };
  std::vector<TextRange> found;
  for (const Directive& one : directives_) {
    const std::string_view line = std::string_view(*text_).substr(one.where.begin, one.where.end - one.where.begin);
    if (one.word == "pragma" && hints(line)) found.push_back(one.where);
  }
  for (std::size_t i = 0; i + 3 < code_.size(); ++i) {
    if (spelling(i) == "_Pragma" && hints(spelling(i + 2))) found.push_back({code_[i].offset, code_[i + 3].end()});
  }
  return found;
}

std::size_t SourceTokens::indexOf(std::size_t offset) const {
  const auto found = std::ranges::upper_bound(code_, offset, {}, &SourceToken::offset);
  return found == code_.begin() ? 0 : static_cast<std::size_t>(found - code_.begin()) - 1;
}

std::string_view SourceTokens::spelling(std::size_t index) const {
  return index < code_.size() ? code_[index].spelling : std::string_view();
}

std::size_t SourceTokens::afterBrackets(std::size_t index) const {
  int depth = 0;
  for (; index < code_.size(); ++index) {
    const std::string_view token = spelling(index);
    depth += token == "(" || token == "{" || token == "[" ? 1 : 0;
    depth -= token == ")" || token == "}" || token == "]" ? 1 : 0;
    if (depth <= 0) return index + 1;
  }
  return index;
}

std::size_t SourceTokens::beginOf(std::size_t index) const {
  while (index > 0) {
    const std::string_view before = spelling(index - 1);
    if (before == ";" || before == "{" || before == "}") break;
    const std::string_view access = index > 1 ? spelling(index - 2) : std::string_view();
    if (before == ":" && (access == "public" || access == "private" || access == "protected")) break;
    --index;
  }
  return index;
}

TextRange SourceTokens::declaration(std::size_t offset, bool function) const {
  if (code_.empty()) return {};
  const std::size_t begin = beginOf(indexOf(offset));
  std::size_t index = begin;
  bool initializers = false;  // of a constructor: `: a{1}, b(2) {`
  while (index < code_.size()) {
    const std::string_view token = spelling(index);
    if (token == ";") {
      ++index;
      break;
    }
    if (token == "}") break;  // it closes what contains the declaration
    if (token == ":") initializers = true;
    if (token == "{" && function) {
      const std::string_view before = index > 0 ? spelling(index - 1) : std::string_view();
      const bool ofMember = initializers && before != ")" && before != "}";
      index = afterBrackets(index);
      if (!ofMember) break;
    } else if (token == "(" || token == "{" || token == "[") {
      index = afterBrackets(index);
    } else {
      ++index;
    }
  }
  return {code_[begin].offset, index == 0 ? 0 : code_[index - 1].end()};
}

TextRange SourceTokens::invocation(std::size_t offset) const {
  if (code_.empty()) return {};
  const std::size_t begin = indexOf(offset);
  std::size_t index = begin + 1;
  if (spelling(index) == "(") index = afterBrackets(index);
  if (spelling(index) == ";") ++index;
  return {code_[begin].offset, code_[std::min(index, code_.size()) - 1].end()};
}

}  // namespace haloscope::frontend
