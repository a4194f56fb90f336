#include "frontend/SourceTokens.h"

#include <algorithm>
#include <utility>

#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>

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

SourceTokens::SourceTokens(std::string text) : text_(std::move(text)) {
  clang::LangOptions language;
  language.CPlusPlus = language.CPlusPlus11 = language.CPlusPlus17 = language.CUDA = true;
  clang::Lexer lexer(clang::SourceLocation(), language, text_.data(), text_.data(), text_.data() + text_.size());
  bool inDirective = false;
  std::vector<Stretch> words;
  const auto finish = [&] {
    if (!std::exchange(inDirective, false) || words.size() < 2) return;
    const auto spell = [&](std::size_t i) {
      return i < words.size() ? text_.substr(words[i].begin, words[i].end - words[i].begin) : std::string();
    };
    Directive directive{{words.front().begin, words.back().end}, spell(1), spell(2)};
    if (directive.word == "include") {
      const Stretch where = directive.where;
      directive.name = fileName(std::string_view(text_).substr(where.begin, where.end - where.begin));
    }
    directives_.push_back(std::move(directive));
  };
  while (true) {
    clang::Token token;
    const bool last = lexer.LexFromRawLexer(token);
    if (token.isAtStartOfLine()) finish();
    if (token.is(clang::tok::eof)) break;
    const auto end = static_cast<std::size_t>(lexer.getBufferLocation() - text_.data());
    const Stretch where{end - token.getLength(), end};
    if (token.is(clang::tok::hash) && token.isAtStartOfLine()) {
      inDirective = true;
      words.clear();
    }
    if (inDirective) {
      words.push_back(where);
    } else {
      tokens_.push_back(where);
    }
    if (last) break;
  }
  finish();
}

std::vector<Stretch> SourceTokens::loopHints() const {
  const auto hints = [](std::string_view pragma) {
    return pragma.find("unroll") != std::string_view::npos || pragma.find("clang loop") != std::string_view::npos;
  };
  std::vector<Stretch> found;
  for (const Directive& one : directives_) {
    const std::string_view line = std::string_view(text_).substr(one.where.begin, one.where.end - one.where.begin);
    if (one.word == "pragma" && hints(line)) found.push_back(one.where);
  }
  for (std::size_t i = 0; i + 3 < tokens_.size(); ++i) {
    if (spelling(i) == "_Pragma" && hints(spelling(i + 2))) found.push_back({tokens_[i].begin, tokens_[i + 3].end});
  }
  return found;
}

std::size_t SourceTokens::indexOf(std::size_t offset) const {
  const auto found = std::ranges::upper_bound(tokens_, offset, {}, &Stretch::begin);
  return found == tokens_.begin() ? 0 : static_cast<std::size_t>(found - tokens_.begin()) - 1;
}

std::string_view SourceTokens::spelling(std::size_t index) const {
  if (index >= tokens_.size()) return {};
  return std::string_view(text_).substr(tokens_[index].begin, tokens_[index].end - tokens_[index].begin);
}

std::size_t SourceTokens::afterBrackets(std::size_t index) const {
  int depth = 0;
  for (; index < tokens_.size(); ++index) {
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

Stretch SourceTokens::declaration(std::size_t at, bool function) const {
  if (tokens_.empty()) return {};
  const std::size_t begin = beginOf(indexOf(at));
  std::size_t index = begin;
  bool initializers = false;  // of a constructor: `: a{1}, b(2) {`
  while (index < tokens_.size()) {
    const std::string_view token = spelling(index);
    if (token == ";") {
      ++index;
      break;
    }
    if (token == "}") break;  // of what is around it
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
  return {tokens_[begin].begin, index == 0 ? 0 : tokens_[index - 1].end};
}

Stretch SourceTokens::invocation(std::size_t at) const {
  if (tokens_.empty()) return {};
  const std::size_t begin = indexOf(at);
  std::size_t index = begin + 1;
  if (spelling(index) == "(") index = afterBrackets(index);
  if (spelling(index) == ";") ++index;
  return {tokens_[begin].begin, tokens_[std::min(index, tokens_.size()) - 1].end};
}

}  // namespace haloscope::frontend
