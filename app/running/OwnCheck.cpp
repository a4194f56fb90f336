#include "running/OwnCheck.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

namespace haloscope::running {

namespace {

/// A program that prints its largest difference leaves the judgement to the reader: this much is rounding.
constexpr double kRounding = 1e-3;

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// A word, or a number.
struct Token {
  std::string word;  ///< empty: a number
  double number = 0;
  bool assigns = false;  ///< ':' or '=' follows
};

std::vector<Token> tokensOf(const std::string& line) {
  std::vector<Token> tokens;
  const auto is = [&](std::size_t i, auto&& kind) {
    return i < line.size() && kind(static_cast<unsigned char>(line[i])) != 0;
  };
  for (std::size_t at = 0; at < line.size();) {
    if (is(at, isalpha)) {
      std::size_t end = at;
      while (is(end, isalnum)) { ++end; }  // "L2" is a word
      const std::string word = line.substr(at, end - at);
      tokens.push_back(word == "nan" || word == "inf" ? Token{.word = {}, .number = NAN} : Token{.word = word});
      at = end;
    } else if (is(at, isdigit)) {
      char* end = nullptr;
      tokens.push_back({.word = {}, .number = std::strtod(line.c_str() + at, &end)});
      at = static_cast<std::size_t>(end - line.c_str());
    } else {
      if (!tokens.empty() && (line[at] == ':' || line[at] == '=')) { tokens.back().assigns = true; }
      ++at;
    }
  }
  return tokens;
}

template <std::size_t count>
bool isOneOf(const Token& token, const std::array<const char*, count>& wanted) {
  return !token.word.empty() && std::ranges::any_of(wanted, [&](const char* one) { return token.word == one; });
}

struct Judgement {
  bool passed = false;
  bool measured = false;
};

/// Of a count of errors or of a largest difference; none if the line has neither.
std::optional<Judgement> judgedByNumber(const std::vector<Token>& tokens) {
  static constexpr std::array kCounts{"errors",    "differences", "diffs",    "mismatch", "mismatches",
                                      "incorrect", "wrong",       "failures", "failed"};
  static constexpr std::array kMeasures{"error", "difference", "diff", "deviation"};
  // "max error = 0.01 (allowed: 0.02)" leaves the judgement to another line.
  static constexpr std::array kBounds{"tolerance", "tol", "allowed", "threshold", "eps", "epsilon", "limit"};
  static constexpr std::array kNone{"no", "without", "zero"};
  if (std::ranges::any_of(tokens, [](const Token& one) { return isOneOf(one, kBounds); })) { return std::nullopt; }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool counts = isOneOf(tokens[i], kCounts);
    if (!counts && !isOneOf(tokens[i], kMeasures)) { continue; }
    if (i > 0 && isOneOf(tokens[i - 1], kNone)) { return Judgement{.passed = true}; }
    // In "passed: 10, failed: 0" the number before belongs to another word.
    const bool taken = tokens[i].assigns && i > 1 && tokens[i - 2].assigns;
    const bool before = i > 0 && tokens[i - 1].word.empty() && !taken;
    const auto number = std::find_if(tokens.begin() + static_cast<std::ptrdiff_t>(before ? i - 1 : i), tokens.end(),
                                     [](const Token& one) { return one.word.empty(); });
    if (number == tokens.end()) { continue; }
    // "mismatch at 0", "error at element 17"
    if (!before && !tokens[i].assigns && tokens[i + 1].word == "at") { return Judgement{}; }
    const double value = std::abs(number->number);
    const bool whole = value == std::floor(value);
    return Judgement{.passed = value <= kRounding, .measured = !std::isnan(value) && !(whole && (counts || before))};
  }
  return std::nullopt;
}

/// What a line says in words, with a count of errors, or by a largest difference.
std::optional<Judgement> judged(const std::string& original) {
  static constexpr std::array kFailed{"fail",    "failed", "failure",  "fails",    "mismatched",
                                      "differs", "differ", "disagree", "disagrees"};
  static constexpr std::array kPassed{"pass",       "passed",       "passes",  "success",
                                      "successful", "successfully", "correct", "ok"};
  static constexpr std::array kWrong{"incorrect", "mismatch", "mismatches", "wrong"};
  static constexpr std::array kAlike{"match", "matches", "verified", "equal", "identical", "agree", "agrees"};
  static constexpr std::array kNot{"no", "not", "without", "zero", "never"};
  // What makes a longer line one about a comparison.
  static constexpr std::array kCompared{
      "test",       "tests",    "result",   "results",  "reference", "cpu",         "verification",
      "validation", "verify",   "verified", "check",    "compare",   "comparison",  "output",
      "outputs",    "answer",   "match",    "matches",  "mismatch",  "mismatches",  "mismatched",
      "max",        "maximum",  "largest",  "relative", "absolute",  "rms",         "rmse",
      "points",     "elements", "values",   "number",   "errors",    "differences", "wrong"};
  constexpr std::size_t kShort = 3;      // "PASSED", "Test did not fail"
  constexpr std::size_t kLongest = 512;  // no sentence, but data
  if (original.size() > kLongest) { return std::nullopt; }
  const std::string line = lower(original);
  const std::vector<Token> tokens = tokensOf(line);
  // The runtime's own words for an error code, and an error that a GPU reported.
  if (line.find("cuda") != std::string::npos || line.ends_with("no error")) { return std::nullopt; }
  const auto about = [](const Token& token) { return isOneOf(token, kCompared); };
  if (tokens.size() > kShort && std::ranges::none_of(tokens, about)) { return std::nullopt; }
  // The first of these words, as it is or negated; with a number next to it it is a count.
  const auto byWord = [&](const auto& words, bool passed, bool alone) -> std::optional<Judgement> {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (!isOneOf(tokens[i], words)) { continue; }
      const bool counted = (i > 0 && tokens[i - 1].word.empty() && !tokens[i - 1].assigns) ||
                           (i + 1 < tokens.size() && tokens[i + 1].word.empty());
      if (alone && counted) { continue; }
      return Judgement{.passed = passed != (i > 0 && isOneOf(tokens[i - 1], kNot))};
    }
    return std::nullopt;
  };
  for (const auto& found : {byWord(kFailed, false, true), byWord(kPassed, true, true), judgedByNumber(tokens),
                            byWord(kFailed, false, false), byWord(kWrong, false, false), byWord(kPassed, true, false),
                            byWord(kAlike, true, false)}) {
    if (found) { return found; }
  }
  return std::nullopt;
}

}  // namespace

std::vector<OwnCheck> ownChecksIn(const std::string& output) {
  std::vector<OwnCheck> all;
  std::size_t before = 0;
  for (std::size_t begin = 0; begin < output.size();) {
    const std::size_t end = std::min(output.find('\n', begin), output.size());
    std::string line = output.substr(begin, end - begin);
    if (const std::optional<Judgement> one = judged(line)) {
      all.push_back({.passed = one->passed,
                     .measured = one->measured,
                     .line = std::move(line),
                     .begin = begin,
                     .before = std::exchange(before, end)});
    }
    begin = end + 1;
  }
  return all;
}

std::optional<OwnCheck> mostTelling(const std::vector<OwnCheck>& checks) {
  // What a program decides counts more than a number that it only prints, and of either a failure more than success.
  const auto rank = [](const OwnCheck& one) { return (one.measured ? 0 : 2) + (one.passed ? 0 : 1); };
  const OwnCheck* found = nullptr;
  for (const OwnCheck& one : checks) {
    if (found == nullptr || rank(one) >= rank(*found)) { found = &one; }
  }
  return found == nullptr ? std::nullopt : std::optional(*found);
}

std::optional<OwnCheck> ownCheckIn(const std::string& output) { return mostTelling(ownChecksIn(output)); }

}  // namespace haloscope::running
