#include "opening/TextNames.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "frontend/SourceTokens.h"

namespace haloscope::opening {

namespace {

constexpr std::size_t kMaxInstances = 16;
constexpr std::size_t kMaxTokensOfArguments = 64;

/// "sweep<8>" before the `<<<` at this token; empty if no template arguments precede it, or one of `parameters` does.
std::string instanceBefore(const std::vector<frontend::SourceToken>& tokens, std::size_t launch,
                           const std::vector<std::string>& parameters) {
  std::string text;
  int depth = 0;
  for (std::size_t at = launch; at-- > 0 && launch - at < kMaxTokensOfArguments;) {
    const std::string_view token = tokens[at].spelling;
    if (token == ">" || token == ">>") { depth += static_cast<int>(token.size()); }
    if ((text.empty() && depth == 0) || std::ranges::find(parameters, token) != parameters.end()) { return {}; }
    text.insert(0, token);
    if (depth == 0) {
      for (; at >= 2 && tokens[at - 1].spelling == "::"; at -= 2) {
        text.insert(0, std::string(tokens[at - 2].spelling) + "::");
      }
      return text;
    }
    depth -= token == "<" ? 1 : 0;
  }
  return {};
}

}  // namespace

TextNames::TextNames(const std::string& text) {
  const frontend::SourceTokens source(text);
  for (const frontend::SourceToken& token : source.all()) {
    if (token.kind == frontend::SourceToken::Kind::Identifier) { identifiers_.emplace(token.spelling); }
  }
  for (const frontend::SourceTokens::Directive& directive : source.directives()) {
    if (directive.word == "define") { macros_.insert(directive.name); }
  }
  const std::vector<frontend::SourceToken>& code = source.code();
  std::vector<std::string> parameters;  // of templates: "int RADIUS", "typename T"
  for (std::size_t at = 0; at + 1 < code.size(); ++at) {
    if (code[at].spelling != "template" || code[at + 1].spelling != "<") { continue; }
    for (at += 2; at + 1 < code.size() && code[at].spelling != ">"; ++at) {
      const std::string_view next = code[at + 1].spelling;
      const bool name = code[at].kind == frontend::SourceToken::Kind::Identifier;
      if (name && (next == "," || next == ">" || next == "=")) { parameters.emplace_back(code[at].spelling); }
    }
  }
  for (std::size_t at = 0; at < code.size(); ++at) {
    const bool assignment = at > 0 && code[at].spelling == "=";
    if (assignment && code[at - 1].kind == frontend::SourceToken::Kind::Identifier) {
      assigned_.emplace(code[at - 1].spelling);
    }
    if (code[at].spelling != "<<<") { continue; }
    launches_ = true;
    std::string instance = instanceBefore(code, at, parameters);
    const bool known = std::ranges::find(instances_, instance) != instances_.end();
    if (!instance.empty() && !known && instances_.size() < kMaxInstances) { instances_.push_back(std::move(instance)); }
  }
}

}  // namespace haloscope::opening
