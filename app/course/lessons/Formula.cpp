#include "lessons/Formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>
#include <utility>

#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope::lessons {

namespace {

using NodeKind = FormulaNode::Kind;
using Spacing = FormulaNode::Class;

struct NamedSymbol {
  std::string_view name, text;
  Spacing spacing = Spacing::Ordinary;
  bool italic = false;
};

constexpr NamedSymbol kSymbols[] = {
    {"cdot", "·", Spacing::Operator},
    {"times", "×", Spacing::Operator},
    {"pm", "±", Spacing::Operator},
    {"div", "÷", Spacing::Operator},
    {"ast", "∗", Spacing::Operator},
    {"le", "≤", Spacing::Relation},
    {"leq", "≤", Spacing::Relation},
    {"ge", "≥", Spacing::Relation},
    {"geq", "≥", Spacing::Relation},
    {"ne", "≠", Spacing::Relation},
    {"neq", "≠", Spacing::Relation},
    {"lt", "<", Spacing::Relation},
    {"gt", ">", Spacing::Relation},
    {"approx", "≈", Spacing::Relation},
    {"to", "→", Spacing::Relation},
    {"rightarrow", "→", Spacing::Relation},
    {"infty", "∞"},
    {"partial", "∂", Spacing::Ordinary, true},
    {"dots", "…"},
    {"ldots", "…"},
    {"cdots", "…"},
    {"prime", "′"},
    {"alpha", "α", Spacing::Ordinary, true},
    {"beta", "β", Spacing::Ordinary, true},
    {"gamma", "γ", Spacing::Ordinary, true},
    {"delta", "δ", Spacing::Ordinary, true},
    {"epsilon", "ε", Spacing::Ordinary, true},
    {"varepsilon", "ε", Spacing::Ordinary, true},
    {"eta", "η", Spacing::Ordinary, true},
    {"theta", "θ", Spacing::Ordinary, true},
    {"lambda", "λ", Spacing::Ordinary, true},
    {"mu", "μ", Spacing::Ordinary, true},
    {"nu", "ν", Spacing::Ordinary, true},
    {"xi", "ξ", Spacing::Ordinary, true},
    {"pi", "π", Spacing::Ordinary, true},
    {"rho", "ρ", Spacing::Ordinary, true},
    {"sigma", "σ", Spacing::Ordinary, true},
    {"tau", "τ", Spacing::Ordinary, true},
    {"phi", "φ", Spacing::Ordinary, true},
    {"varphi", "φ", Spacing::Ordinary, true},
    {"chi", "χ", Spacing::Ordinary, true},
    {"psi", "ψ", Spacing::Ordinary, true},
    {"omega", "ω", Spacing::Ordinary, true},
    {"Gamma", "Γ"},
    {"Delta", "Δ"},
    {"Theta", "Θ"},
    {"Lambda", "Λ"},
    {"Pi", "Π"},
    {"Sigma", "Σ"},
    {"Phi", "Φ"},
    {"Psi", "Ψ"},
    {"Omega", "Ω"},
    {"max", "max", Spacing::Function},
    {"min", "min", Spacing::Function},
    {"sin", "sin", Spacing::Function},
    {"cos", "cos", Spacing::Function},
    {"log", "log", Spacing::Function},
    {"exp", "exp", Spacing::Function},
    {"bmod", "mod", Spacing::Operator},
    {"%", "%"},
    {"_", "_"},
    {"#", "#"},
    {"&", "&"},
    {"{", "{"},
    {"}", "}"},
    {"|", "|"},
};

struct NamedSpace {
  std::string_view name;
  float width;
};
constexpr NamedSpace kSpaces[] = {{"quad", 1},  {"qquad", 2}, {",", 0.17F},        {":", 0.22F},     {";", 0.28F},
                                  {"!", -0.1F}, {" ", 0.28F}, {"displaystyle", 0}, {"textstyle", 0}, {"limits", 0}};

/// Brackets by their names after a backslash, and the ones that close them.
struct Bracket {
  std::string_view name, text, closingName, closing;
};
constexpr Bracket kBrackets[] = {{"lceil", "⌈", "rceil", "⌉"}, {"lfloor", "⌊", "rfloor", "⌋"}};

class FormulaParser {
 public:
  explicit FormulaParser(std::string_view tex) : whole_(tex), rest_(tex) {}

  FormulaNode parse() {
    FormulaNode row = parseRow({});
    if (!rest_.empty()) { fail(trf("there is a \"{}\" too many", rest_.substr(0, rest_[0] == '\\' ? 6 : 1))); }
    return row;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw InputError(trf("the formula ${}$: {}", whole_, what)); }

  void skipSpace() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_[0])) != 0) { rest_.remove_prefix(1); }
  }

  [[nodiscard]] bool at(std::string_view text) const { return rest_.starts_with(text); }
  bool take(std::string_view text) {
    if (!at(text)) { return false; }
    rest_.remove_prefix(text.size());
    return true;
  }

  /// The name of the command that begins here: letters, or one other character.
  [[nodiscard]] std::string_view commandName() const {
    if (!at("\\") || rest_.size() < 2) { return {}; }
    std::size_t end = 1;
    while (end < rest_.size() && std::isalpha(static_cast<unsigned char>(rest_[end])) != 0) { ++end; }
    return rest_.substr(1, std::max<std::size_t>(end, 2) - 1);
  }

  /// Up to the end of the group, or to `closing` if that is given; leaves both.
  FormulaNode parseRow(std::string_view closing) {
    FormulaNode row;
    if (++depth_ > 40) { fail(tr("it is nested too deeply")); }
    for (skipSpace(); !rest_.empty() && rest_[0] != '}'; skipSpace()) {
      if (!closing.empty() && at(closing)) { break; }
      if (commandName() == "right" || closesBracket()) { break; }
      row.parts.push_back(parseScripts());
    }
    --depth_;
    return row;
  }

  [[nodiscard]] bool closesBracket() const {
    const std::string_view name = commandName();
    return std::ranges::any_of(kBrackets, [&](const Bracket& one) { return one.closingName == name; });
  }

  FormulaNode parseScripts() {
    FormulaNode base = parseAtom();
    FormulaNode upper, lower;
    bool any = false;
    for (skipSpace(); !rest_.empty(); skipSpace()) {
      if (at("'")) {
        rest_.remove_prefix(1);
        base = primed(std::move(base));
        continue;
      } else if (take("^")) {
        upper.parts.push_back(parseArgument());
      } else if (take("_")) {
        lower.parts.push_back(parseArgument());
      } else {
        break;
      }
      any = true;
    }
    if (base.kind == NodeKind::Large) {
      base.parts = {std::move(upper), std::move(lower)};
      return base;
    }
    if (!any) { return base; }
    FormulaNode node{.kind = NodeKind::Scripts, .spacing = base.spacing};
    node.parts = {std::move(base), std::move(upper), std::move(lower)};
    return node;
  }

  /// The sign of a derivative stands as high as an exponent by itself.
  static FormulaNode primed(FormulaNode base) {
    FormulaNode row;
    row.parts.push_back(std::move(base));
    row.parts.push_back({.kind = NodeKind::Symbol, .text = "′"});
    return row;
  }

  /// {…} or one symbol.
  FormulaNode parseArgument() {
    skipSpace();
    if (rest_.empty()) { fail(tr("something is missing at its end")); }
    if (!take("{")) { return parseAtom(); }
    FormulaNode row = parseRow({});
    if (!take("}")) { fail(tr("a { is not closed")); }
    return row;
  }

  /// {…} taken as it is.
  std::string parseWords() {
    skipSpace();
    if (!take("{")) { fail(tr("{ is needed after \\text")); }
    const std::size_t end = rest_.find('}');
    if (end == std::string_view::npos) { fail(tr("a { is not closed")); }
    std::string words(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    std::erase(words, '\\');
    return words;
  }

  FormulaNode parseAtom() {
    skipSpace();
    if (rest_.empty()) { fail(tr("something is missing at its end")); }
    if (at("{")) { return parseArgument(); }
    if (at("\\")) { return parseCommand(); }
    if (at("^") || at("_")) { return {}; }
    if (at("&")) { fail(tr("& has no meaning here")); }
    if (at("(") || at("[")) { return parseFenced(); }
    return parseCharacter();
  }

  /// Where the bracket that begins here is closed, within the group; npos if it is not.
  [[nodiscard]] std::size_t matching(char open, char close) const {
    int brackets = 0, groups = 0;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      const char c = rest_[i];
      if (c == '\\') {
        ++i;
      } else if (c == '{') {
        ++groups;
      } else if (c == '}' && groups-- == 0) {
        return std::string_view::npos;
      } else if (groups == 0 && c == open) {
        ++brackets;
      } else if (groups == 0 && c == close && --brackets == 0) {
        return i;
      }
    }
    return std::string_view::npos;
  }

  /// Brackets grow with what is between them, also without \left and \right.
  FormulaNode parseFenced() {
    const char open = rest_[0], close = open == '(' ? ')' : ']';
    if (matching(open, close) == std::string_view::npos) { return parseCharacter(); }
    rest_.remove_prefix(1);
    FormulaNode node{.kind = NodeKind::Fenced, .text = std::string(1, open), .closing = std::string(1, close)};
    node.parts.push_back(parseRow(node.closing));
    if (!take(node.closing)) { fail(trf("a {} is not closed", open)); }
    return node;
  }

  FormulaNode parseCharacter() {
    const auto first = static_cast<unsigned char>(rest_[0]);
    if (std::isdigit(first) != 0) {
      std::size_t end = 1;
      const auto inNumber = [&](std::size_t i) {
        const bool digit = std::isdigit(static_cast<unsigned char>(rest_[i])) != 0;
        const bool mark = (rest_[i] == '.' || rest_[i] == ',') && i + 1 < rest_.size() &&
                          std::isdigit(static_cast<unsigned char>(rest_[i + 1])) != 0;
        // "0,1" is a pair, "1,024" a number.
        const bool thousands =
            rest_[i] != ',' || (i + 3 < rest_.size() && std::isdigit(static_cast<unsigned char>(rest_[i + 2])) != 0 &&
                                std::isdigit(static_cast<unsigned char>(rest_[i + 3])) != 0);
        return digit || (mark && thousands);
      };
      while (end < rest_.size() && inNumber(end)) { ++end; }
      return symbol(end, Spacing::Ordinary, false);
    }
    if (first < 0x80) {
      const char c = rest_[0];
      if (std::isalpha(first) != 0) { return symbol(1, Spacing::Ordinary, true); }
      if (c == '-') {
        rest_.remove_prefix(1);
        return {.kind = NodeKind::Symbol, .spacing = Spacing::Operator, .text = "−"};
      }
      if (c == '+' || c == '*') { return symbol(1, Spacing::Operator, false); }
      if (c == '=' || c == '<' || c == '>') { return symbol(1, Spacing::Relation, false); }
      if (c == ',' || c == ';') { return symbol(1, Spacing::Punctuation, false); }
      return symbol(1, Spacing::Ordinary, false);
    }
    std::size_t end = 1;
    while (end < rest_.size() && (static_cast<unsigned char>(rest_[end]) & 0xC0) == 0x80) { ++end; }
    return symbol(end, Spacing::Ordinary, false);
  }

  FormulaNode symbol(std::size_t bytes, Spacing spacing, bool italic) {
    FormulaNode node{
        .kind = NodeKind::Symbol, .spacing = spacing, .italic = italic, .text = std::string(rest_.substr(0, bytes))};
    rest_.remove_prefix(bytes);
    return node;
  }

  FormulaNode parseCommand() {
    const std::string_view name = commandName();
    if (name.empty()) { fail(tr("it ends with \\")); }
    rest_.remove_prefix(1 + name.size());
    if (name == "frac" || name == "dfrac" || name == "tfrac") {
      FormulaNode node{.kind = NodeKind::Fraction};
      node.parts.push_back(parseArgument());
      node.parts.push_back(parseArgument());
      return node;
    }
    if (name == "sqrt") {
      FormulaNode node{.kind = NodeKind::Root};
      node.parts.push_back(parseArgument());
      return node;
    }
    if (name == "sum" || name == "prod") { return {.kind = NodeKind::Large, .text = name == "sum" ? "∑" : "∏"}; }
    if (name == "text" || name == "mathrm" || name == "operatorname" || name == "mathit" || name == "mathtt") {
      return {.kind = NodeKind::Symbol, .italic = name == "mathit", .text = parseWords()};
    }
    if (name == "left") { return parseLeft(); }
    for (const Bracket& one : kBrackets) {
      if (one.name == name) { return parseNamedBracket(one); }
    }
    for (const NamedSpace& one : kSpaces) {
      if (one.name == name) { return {.kind = NodeKind::Space, .width = one.width}; }
    }
    for (const NamedSymbol& one : kSymbols) {
      if (one.name == name) {
        return {.kind = NodeKind::Symbol, .spacing = one.spacing, .italic = one.italic, .text = std::string(one.text)};
      }
    }
    fail(trf("\\{} is not known", name));
  }

  FormulaNode parseNamedBracket(const Bracket& bracket) {
    FormulaNode node{
        .kind = NodeKind::Fenced, .text = std::string(bracket.text), .closing = std::string(bracket.closing)};
    node.parts.push_back(parseRow({}));
    if (commandName() != bracket.closingName) { fail(trf("\\{} is not closed", bracket.name)); }
    rest_.remove_prefix(1 + bracket.closingName.size());
    return node;
  }

  /// The bracket after \left or \right; "." is none.
  std::string takeBracket() {
    skipSpace();
    for (const Bracket& one : kBrackets) {
      if (commandName() == one.name) {
        rest_.remove_prefix(1 + one.name.size());
        return std::string(one.text);
      }
      if (commandName() == one.closingName) {
        rest_.remove_prefix(1 + one.closingName.size());
        return std::string(one.closing);
      }
    }
    take("\\");  // \{
    if (rest_.empty()) { fail(tr("a bracket is missing after \\left or \\right")); }
    const char c = rest_[0];
    rest_.remove_prefix(1);
    return c == '.' ? std::string() : std::string(1, c);
  }

  FormulaNode parseLeft() {
    FormulaNode node{.kind = NodeKind::Fenced};
    node.text = takeBracket();
    node.parts.push_back(parseRow({}));
    if (commandName() != "right") { fail(tr("a \\left has no \\right")); }
    rest_.remove_prefix(6);
    node.closing = takeBracket();
    return node;
  }

  std::string_view whole_, rest_;
  int depth_ = 0;
};

std::string plainRow(const FormulaNode& node, bool grouped);

/// Letters or a number: an index of these needs no brackets.
bool isWord(const FormulaNode& node) {
  return node.kind == NodeKind::Row ? std::ranges::all_of(node.parts, isWord)
                                    : node.kind == NodeKind::Symbol && node.spacing == Spacing::Ordinary;
}

std::string plainNode(const FormulaNode& node) {
  switch (node.kind) {
    case NodeKind::Row:
      return plainRow(node, false);
    case NodeKind::Symbol: {
      const bool wide = node.spacing == Spacing::Relation || node.spacing == Spacing::Operator;
      return wide ? fmt::format(" {} ", node.text) : node.spacing == Spacing::Punctuation ? node.text + " " : node.text;
    }
    case NodeKind::Fraction:
      return plainRow(node.parts[0], true) + "/" + plainRow(node.parts[1], true);
    case NodeKind::Scripts: {
      std::string text = plainNode(node.parts[0]);
      if (!node.parts[2].parts.empty()) { text += "_" + plainRow(node.parts[2], !isWord(node.parts[2])); }
      if (!node.parts[1].parts.empty()) { text += "^" + plainRow(node.parts[1], true); }
      return text;
    }
    case NodeKind::Large: {
      std::string text = node.text;
      if (!node.parts[1].parts.empty()) { text += "[" + plainRow(node.parts[1], false); }
      if (!node.parts[0].parts.empty()) { text += " … " + plainRow(node.parts[0], false); }
      return text + (node.parts[1].parts.empty() ? " " : "] ");
    }
    case NodeKind::Root:
      return "√" + plainRow(node.parts[0], true);
    case NodeKind::Fenced:
      return node.text + plainRow(node.parts[0], false) + node.closing;
    case NodeKind::Space:
      return node.width > 0.5F ? "  " : "";
  }
  return {};
}

/// Whether a fraction beside it would be taken for a part of it, or it for a part of the fraction.
bool joins(const FormulaNode& part) {
  return part.kind != NodeKind::Space && (part.spacing == Spacing::Ordinary || part.spacing == Spacing::Function);
}

/// `grouped`: in brackets if it is more than one symbol.
std::string plainRow(const FormulaNode& node, bool grouped) {
  if (node.kind != NodeKind::Row) { return plainNode(node); }
  if (node.parts.size() == 1 && node.parts[0].kind == NodeKind::Row) { return plainRow(node.parts[0], grouped); }
  std::string text;
  for (std::size_t i = 0; i < node.parts.size(); ++i) {
    const FormulaNode& part = node.parts[i];
    const bool factor =
        part.kind == NodeKind::Fraction && node.parts.size() > 1 &&
        ((i > 0 && joins(node.parts[i - 1])) || (i + 1 < node.parts.size() && joins(node.parts[i + 1])));
    text += isSign(node.parts, i) ? part.text : factor ? "(" + plainNode(part) + ")" : plainNode(part);
  }
  return grouped && node.parts.size() > 1 ? "(" + text + ")" : text;
}

}  // namespace

bool isSign(const std::vector<FormulaNode>& row, std::size_t part) {
  if (row[part].kind != NodeKind::Symbol || row[part].spacing != Spacing::Operator) { return false; }
  return part == 0 || part + 1 == row.size() || row[part - 1].spacing == Spacing::Operator ||
         row[part - 1].spacing == Spacing::Relation || row[part - 1].spacing == Spacing::Punctuation;
}

FormulaNode parseFormula(const std::string& tex) { return FormulaParser(tex).parse(); }

std::string plainFormula(const FormulaNode& formula) {
  std::string text;
  for (const char c : plainRow(formula, false)) {
    if (c != ' ' || text.empty() || text.back() != ' ') { text += c; }
  }
  return text;
}

}  // namespace haloscope::lessons
