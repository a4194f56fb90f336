#include "running/OfferedSizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "frontend/SourceTokens.h"
#include "language/Text.h"

namespace haloscope::running {

namespace {

using frontend::SourceToken;
using frontend::SourceTokens;
using Tokens = std::span<const SourceToken>;

constexpr std::int64_t kMostSteps = 32, kMostPoints = 64;

std::string lower(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return small;
}

bool hasOne(const std::string& name, std::span<const std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view one) { return name.find(one) != std::string::npos; });
}

bool countsSteps(const std::string& name) {
  static constexpr std::array<std::string_view, 10> kWords{"iter",  "step", "sweep", "repeat", "loop",
                                                           "times", "runs", "frame", "epoch",  "rounds"};
  const std::string small = lower(name);
  return hasOne(small, kWords) || small == "nt" || small == "t" || small == "reps" || small == "nrep";
}

/// What the kernel's structure depends on, or what is no size at all.
bool isFixed(const std::string& name) {
  static constexpr std::array<std::string_view, 19> kWords{
      "block", "tile",    "thread", "tpb",  "warp", "radius", "mask",   "filter", "halo", "seed",
      "bins",  "channel", "port",   "grid", "rand", "coarse", "unroll", "factor", "align"};
  return hasOne(lower(name), kWords);
}

bool isInteger(std::string_view word) {
  static constexpr std::array<std::string_view, 20> kWords{
      "int",     "long",     "unsigned", "size_t",    "auto", "short",   "const",  "constexpr", "static", "int32_t",
      "int64_t", "uint32_t", "uint64_t", "ptrdiff_t", "uint", "ssize_t", "signed", "inline",    "ulong",  "Index"};
  return std::ranges::find(kWords, word) != kWords.end();
}

struct Number {
  std::int64_t value = 0;
  std::string suffix;
};

/// A decimal literal.
std::optional<Number> numberOf(const SourceToken& token) {
  if (token.kind != SourceToken::Kind::Number) { return std::nullopt; }
  std::string digits(token.spelling);
  std::erase(digits, '\'');
  Number number;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number.value);
  if (error != std::errc() || (digits.size() > 1 && digits[0] == '0')) { return std::nullopt; }
  number.suffix = digits.substr(static_cast<std::size_t>(end - digits.data()));
  return number.suffix.find_first_not_of("uUlLzZ") == std::string::npos ? std::optional(number) : std::nullopt;
}

/// Expressions of numbers alone: `8192`, `(1 << 13)`, `8 * 1024 + 2`.
class Expression {
 public:
  explicit Expression(Tokens tokens) : tokens_(tokens) {}

  std::optional<Number> value() {
    // Each bracket is a recursion, and no sum of so few numbers overflows.
    constexpr std::size_t kMostTokens = 32;
    if (tokens_.size() > kMostTokens) { return std::nullopt; }
    const std::optional<std::int64_t> all = shifted();
    if (!all || at_ != tokens_.size()) { return std::nullopt; }
    return Number{*all, suffix_};
  }

 private:
  static constexpr std::int64_t kMost = std::int64_t{1} << 48;

  bool take(std::string_view word) {
    if (at_ >= tokens_.size() || tokens_[at_].spelling != word) { return false; }
    ++at_;
    return true;
  }
  std::optional<std::int64_t> shifted() {
    std::optional<std::int64_t> left = sum();
    while (left && take("<<")) {
      const std::optional<std::int64_t> by = sum();
      if (!by || *by < 0 || *by > 40 || *left > kMost >> *by || *left < 0) { return std::nullopt; }
      *left <<= *by;
    }
    return left;
  }
  std::optional<std::int64_t> sum() {
    std::optional<std::int64_t> left = product();
    while (left) {
      const bool plus = take("+");
      if (!plus && !take("-")) { return left; }
      const std::optional<std::int64_t> right = product();
      if (!right) { return std::nullopt; }
      *left += plus ? *right : -*right;
    }
    return left;
  }
  std::optional<std::int64_t> product() {
    std::optional<std::int64_t> left = operand();
    while (left && take("*")) {
      const std::optional<std::int64_t> right = operand();
      if (!right || *left < 0 || *right < 0 || (*right > 0 && *left > kMost / *right)) { return std::nullopt; }
      *left *= *right;
    }
    return left;
  }
  std::optional<std::int64_t> operand() {
    if (take("(")) {
      const std::optional<std::int64_t> inner = shifted();
      return inner && take(")") ? inner : std::nullopt;
    }
    if (at_ >= tokens_.size()) { return std::nullopt; }
    const std::optional<Number> number = numberOf(tokens_[at_]);
    if (!number || number->value > kMost) { return std::nullopt; }
    ++at_;
    if (!number->suffix.empty()) { suffix_ = number->suffix; }
    return number->value;
  }

  Tokens tokens_;
  std::size_t at_ = 0;
  std::string suffix_;
};

class Finder {
 public:
  explicit Finder(Offered which) : which_(which) {}

  void read(const std::string& file, const std::string& text) {
    const SourceTokens tokens(text);
    file_ = file;
    for (const SourceTokens::Directive& one : tokens.directives()) {
      constexpr std::size_t kBeforeValue = 3;  // # define NAME
      if (one.word != "define" || one.tokens.size() <= kBeforeValue) { continue; }
      const Tokens value = Tokens(one.tokens).subspan(kBeforeValue);
      add(one.name, value, one.tokens[2].line);
    }
    readDeclarations(tokens.code());
  }
  std::vector<OfferedSize> take() { return std::move(found_); }

 private:
  void readDeclarations(Tokens code) {
    int brackets = 0;
    bool declares = false, enumerates = false;
    for (std::size_t i = 0; i < code.size(); ++i) {
      const std::string_view word = code[i].spelling;
      if (word == "(") { ++brackets; }
      if (word == ")") { brackets = std::max(0, brackets - 1); }
      if (word == ";" || word == "}") { declares = enumerates = false; }
      if (word == "{") { declares = false; }
      if (word == "enum") { enumerates = true; }
      if (brackets == 0 && isInteger(word)) { declares = true; }
      const bool assigned = word == "=" && brackets == 0 && i > 0 && (declares || enumerates);
      if (!assigned || code[i - 1].kind != SourceToken::Kind::Identifier) { continue; }
      std::size_t end = i + 1;
      int inner = 0;
      constexpr std::size_t kLongest = 64;  // of a text that assigns without end
      for (; end < std::min(code.size(), i + kLongest); ++end) {
        const std::string_view next = code[end].spelling;
        if (inner == 0 && (next == ";" || next == "," || next == "}")) { break; }
        inner += next == "(" ? 1 : next == ")" ? -1 : 0;
      }
      const Tokens value = code.subspan(i + 1, end - i - 1);
      // `argc > 1 ? atoi(argv[1]) : 8192`
      const auto otherwise = std::ranges::find(value, ":", &SourceToken::spelling);
      const bool chosen = otherwise != value.end() &&
                          std::ranges::any_of(value, [](const SourceToken& one) { return one.spelling == "argv"; });
      add(std::string(code[i - 1].spelling),
          chosen ? value.subspan(static_cast<std::size_t>(otherwise - value.begin()) + 1) : value, code[i - 1].line);
    }
  }

  void add(const std::string& name, Tokens tokens, int line) {
    if (tokens.empty() || tokens.front().line != tokens.back().line) { return; }
    const std::optional<Number> number = Expression(tokens).value();
    const bool repeats = countsSteps(name);
    if (!number) { return; }
    const bool large = number->value > (repeats ? kMostSteps : kMostPoints) && (repeats || !isFixed(name));
    if (which_ == Offered::Large ? !large : number->value < 1) { return; }
    OfferedSize::Text text{.file = file_,
                           .offset = tokens.front().offset,
                           .length = tokens.back().end() - tokens.front().offset,
                           .suffix = number->suffix};
    const auto same = [&](const OfferedSize& one) { return one.name == name && one.value == number->value; };
    const auto known = std::ranges::find_if(found_, same);
    if (known != found_.end()) {
      known->texts.push_back(std::move(text));
      return;
    }
    found_.push_back(
        {.name = name, .at = {file_, line}, .value = number->value, .repeats = repeats, .texts = {std::move(text)}});
  }

  Offered which_;
  std::string file_;
  std::vector<OfferedSize> found_;
};

void change(std::string& text, const OfferedSize::Text& where, std::int64_t value) {
  std::string number = std::to_string(value) + where.suffix;
  if (where.offset + where.length > text.size()) { return; }
  number.resize(std::max(number.size(), where.length), ' ');
  text.replace(where.offset, where.length, number);
}

std::string listOf(const std::vector<ChangedSize>& sizes, std::int64_t (*value)(const ChangedSize&)) {
  std::string text;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const char* const before = i == 0 ? "" : i + 1 == sizes.size() ? tr(" and ") : ", ";
    text += fmt::format("{}{} = {}", before, nameOf(sizes[i].size), value(sizes[i]));
  }
  return text;
}

}  // namespace

std::string nameOf(const OfferedSize& size) {
  static constexpr std::array kOrdinals{"first", "second", "third", "fourth", "fifth", "sixth"};
  if (!size.name.empty()) { return size.name; }
  return size.argument < kOrdinals.size() ? trf("the {} argument", kOrdinals.at(size.argument))
                                          : trf("argument {}", size.argument + 1);
}

std::string ownValues(const std::vector<ChangedSize>& sizes) {
  return listOf(sizes, [](const ChangedSize& one) { return one.size.value; });
}

std::string newValues(const std::vector<ChangedSize>& sizes) {
  return listOf(sizes, [](const ChangedSize& one) { return one.value; });
}

std::vector<OfferedSize> offeredSizes(const host::HostProgram& program, const std::vector<std::string>& arguments,
                                      Offered which) {
  std::vector<OfferedSize> all;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    OfferedSize one{.name = {}, .argument = i, .at = {}, .value = 0, .repeats = false, .texts = {}};
    const char* const end = arguments[i].data() + arguments[i].size();
    const auto [last, error] = std::from_chars(arguments[i].data(), end, one.value);
    const std::int64_t least = which == Offered::Large ? kMostPoints + 1 : 1;
    if (error == std::errc() && last == end && one.value >= least) { all.push_back(std::move(one)); }
  }
  Finder finder(which);
  for (const host::HostProgram::File& file : program.files) { finder.read(file.name, file.text); }
  for (const auto& [name, text] : program.headers) { finder.read(name, text); }
  std::ranges::move(finder.take(), std::back_inserter(all));
  std::erase_if(all, [&](const OfferedSize& one) { return program.defines.contains(one.name); });
  return all;
}

host::HostProgram withSizes(host::HostProgram program, const std::vector<ChangedSize>& sizes) {
  std::vector<std::pair<const OfferedSize::Text*, std::int64_t>> changes;
  for (const ChangedSize& one : sizes) {
    for (const OfferedSize::Text& where : one.size.texts) { changes.emplace_back(&where, one.value); }
  }
  // From the end: what is before a change stays where it is.
  std::ranges::sort(changes, std::greater(), [](const auto& one) { return one.first->offset; });
  for (const auto& [where, value] : changes) {
    const auto file = std::ranges::find(program.files, where->file, &host::HostProgram::File::name);
    const auto header = program.headers.find(where->file);
    if (file != program.files.end()) {
      change(file->text, *where, value);
    } else if (header != program.headers.end()) {
      change(header->second, *where, value);
    }
  }
  return program;
}

std::vector<std::string> withSizes(std::vector<std::string> arguments, const std::vector<ChangedSize>& sizes) {
  for (const ChangedSize& one : sizes) {
    if (one.size.name.empty()) { arguments.at(one.size.argument) = std::to_string(one.value); }
  }
  return arguments;
}

}  // namespace haloscope::running
