#include "running/OwnCheck.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <vector>

namespace haloscope::running {

namespace {

/// A program that prints its largest difference leaves the judgement to the reader: this much is rounding.
constexpr double kRounding = 1e-3;

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::vector<std::string> wordsOf(const std::string& line) {
  std::vector<std::string> words(1);
  for (const char c : line) {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  return words;
}

template <std::size_t count>
bool hasOneOf(const std::vector<std::string>& words, const std::array<const char*, count>& wanted) {
  return std::ranges::any_of(words, [&](const std::string& word) {
    return std::ranges::any_of(wanted, [&](const char* one) { return word == one; });
  });
}

/// The number after the last word of a line about differences: "max error = 1.5e-07".
std::optional<double> numberIn(const std::string& line, std::size_t from) {
  const std::size_t at = line.find_first_of("0123456789", from);
  if (at == std::string::npos) {
    return line.find("nan", from) != std::string::npos ? std::optional(NAN) : std::nullopt;
  }
  return std::strtod(line.c_str() + at, nullptr);
}

/// What a line says: a count of errors, a largest difference, or a word.
std::optional<bool> judged(const std::string& original) {
  static constexpr std::array kBad{"fail",       "failed",     "failure", "fails",   "incorrect", "mismatch",
                                   "mismatches", "mismatched", "wrong",   "differs", "differ"};
  static constexpr std::array kGood{"pass",  "passed",  "passes",   "correct", "success", "successful", "successfully",
                                    "match", "matches", "verified", "ok",      "equal",   "identical"};
  static constexpr std::array kAmounts{"error", "errors",     "difference", "differences",
                                       "diff",  "mismatches", "deviation"};
  static constexpr std::array kNot{"no", "not", "without", "zero"};
  // What is compared: a word like these, or the verdict of a test, makes it a comparison.
  static constexpr std::array kCompared{"test",       "result",     "results",  "reference", "cpu",      "verification",
                                        "validation", "verify",     "verified", "check",     "compare",  "comparison",
                                        "output",     "outputs",    "answer",   "match",     "matches",  "mismatch",
                                        "mismatches", "mismatched", "max",      "maximum",   "relative", "absolute",
                                        "rms",        "l2",         "rmse"};
  const std::string line = lower(original);
  const std::vector<std::string> words = wordsOf(line);
  // The runtime's own words for an error code.
  if (line.find("no error") != std::string::npos || line.find("cuda error") != std::string::npos) {
    return std::nullopt;
  }
  const bool aloneOnLine = words.size() <= 2;  // "PASSED", "OK!"
  if (!aloneOnLine && !hasOneOf(words, kCompared)) { return std::nullopt; }
  for (const char* amount : kAmounts) {
    const std::size_t at = line.find(amount);
    if (at == std::string::npos || !hasOneOf(words, std::array{amount})) { continue; }
    std::optional<double> number = numberIn(line, at);
    const std::size_t before = at > 0 ? line.find_last_not_of(' ', at - 1) : std::string::npos;
    if (!number && before != std::string::npos && std::isdigit(static_cast<unsigned char>(line[before])) != 0) {
      number = std::strtod(line.c_str() + line.find_first_of("0123456789"), nullptr);
    }
    if (number) { return std::abs(*number) <= kRounding; }
    if (hasOneOf(words, kNot)) { return true; }
  }
  const bool negated = hasOneOf(words, kNot);
  if (hasOneOf(words, kBad)) { return negated && !hasOneOf(words, std::array{"not"}); }
  if (hasOneOf(words, kGood)) { return !hasOneOf(words, std::array{"not"}) && !hasOneOf(words, std::array{"no"}); }
  return std::nullopt;
}

}  // namespace

std::optional<OwnCheck> ownCheckIn(const std::string& output) {
  std::optional<OwnCheck> found;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    const std::optional<bool> passed = judged(line);
    if (!passed || (found && !found->passed && *passed)) { continue; }
    found = OwnCheck{.passed = *passed, .line = line};
  }
  return found;
}

}  // namespace haloscope::running
