#include "cells/CodeHtml.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "text/Printable.h"
#include "text/SourceLine.h"

namespace haloscope {

namespace {

struct KindRow {
  TokenKind kind;
  std::string_view name, span, mark;
};

#define HALOSCOPE_KIND(kind, name) {TokenKind::kind, name, "span class=\"" name "\"", "mark class=\"" name "\""}
constexpr std::array<KindRow, 8> kKinds = {
    {HALOSCOPE_KIND(Plain, "plain"), HALOSCOPE_KIND(Name, "name"), HALOSCOPE_KIND(Keyword, "keyword"),
     HALOSCOPE_KIND(Type, "type"), HALOSCOPE_KIND(Cuda, "cuda"), HALOSCOPE_KIND(Literal, "literal"),
     HALOSCOPE_KIND(Comment, "comment"), HALOSCOPE_KIND(Preprocessor, "directive")}};
#undef HALOSCOPE_KIND

}  // namespace

cells::Colour colourOf(const cells::Palette& palette, TokenKind kind) {
  switch (kind) {
    case TokenKind::Keyword:
      return cells::mixed(palette.textDim, palette.accent, 0.75F);
    case TokenKind::Type:
      return cells::mixed(palette.text, palette.accent, 0.45F);
    case TokenKind::Cuda:
      return cells::mixed(palette.text, palette.good, 0.55F);
    case TokenKind::Literal:
      return cells::mixed(palette.text, palette.textDim, 0.35F);
    case TokenKind::Comment:
    case TokenKind::Preprocessor:
      return palette.textDim;
    case TokenKind::Plain:
      return cells::mixed(palette.text, palette.textDim, 0.5F);
    case TokenKind::Name:
      break;
  }
  return palette.text;
}

std::string codeHtml(const CodeLine& line, std::pair<std::size_t, std::size_t> marked, std::size_t most) {
  const bool cut = line.text.size() > most;
  const std::string_view text = cut ? line.text.substr(0, characterEnd(line.text, most)) : line.text;
  std::vector<LinePart> parts;
  // A piece is divided where the mark begins and ends.
  const auto add = [&](std::size_t begin, std::size_t end, std::string_view span, std::string_view mark) {
    for (end = std::min(end, text.size()); begin < end;) {
      const bool inside = marked.first <= begin && begin < marked.second;
      const std::size_t next = inside                                                 ? std::min(end, marked.second)
                               : begin < marked.first && marked.first < marked.second ? std::min(end, marked.first)
                                                                                      : end;
      parts.push_back({begin, next, inside ? mark : span});
      begin = next;
    }
  };
  std::size_t at = 0;
  constexpr std::string_view kSpan = "span class=\"blank\"", kMark = "mark class=\"blank\"";
  for (const Token& token : line.tokens) {
    const KindRow& row = kKinds.at(static_cast<std::size_t>(token.kind));
    add(at, static_cast<std::size_t>(token.begin), kSpan, kMark);
    add(static_cast<std::size_t>(token.begin), static_cast<std::size_t>(token.end), row.span, row.mark);
    at = static_cast<std::size_t>(token.end);
  }
  add(at, text.size(), kSpan, kMark);
  return lineHtml(text, parts) + (cut ? " …" : "");
}

std::string codeStyle() {
  std::string light, dark;
  for (const KindRow& row : kKinds) {
    light += fmt::format(".{}{{color:{}}}", row.name, cells::cssColour(colourOf(cells::paletteOf(true), row.kind)));
    dark += fmt::format(".{}{{color:{}}}", row.name, cells::cssColour(colourOf(cells::paletteOf(false), row.kind)));
  }
  return fmt::format("{}\n@media (prefers-color-scheme: dark){{{}}}\n", light, dark);
}

}  // namespace haloscope
