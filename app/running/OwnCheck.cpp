#include "running/OwnCheck.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "running/ProgramRun.h"

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
};

std::vector<Token> tokensOf(const std::string& line) {
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < line.size();) {
    const auto isLetter = [&](std::size_t i) {
      return i < line.size() && std::isalpha(static_cast<unsigned char>(line[i])) != 0;
    };
    if (isLetter(at)) {
      std::size_t end = at;
      while (isLetter(end)) { ++end; }
      const std::string word = line.substr(at, end - at);
      tokens.push_back(word == "nan" || word == "inf" ? Token{{}, NAN} : Token{word, 0});
      at = end;
    } else if (std::isdigit(static_cast<unsigned char>(line[at])) != 0) {
      char* end = nullptr;
      tokens.push_back({{}, std::strtod(line.c_str() + at, &end)});
      at = static_cast<std::size_t>(end - line.c_str());
    } else {
      ++at;
    }
  }
  return tokens;
}

template <std::size_t count>
bool isOneOf(const Token& token, const std::array<const char*, count>& wanted) {
  return !token.word.empty() && std::ranges::any_of(wanted, [&](const char* one) { return token.word == one; });
}

/// What a line says: a count of errors, a largest difference, or a word.
std::optional<bool> judged(const std::string& original) {
  // These count or measure what is wrong: "0 mismatches", "max error = 1e-7".
  static constexpr std::array kAmounts{"error",     "errors",   "difference", "differences", "diff",
                                       "diffs",     "mismatch", "mismatches", "wrong",       "incorrect",
                                       "deviation", "failures", "failed"};
  static constexpr std::array kBad{"fail",       "failed", "failure", "fails",  "incorrect", "mismatch", "mismatches",
                                   "mismatched", "wrong",  "differs", "differ", "disagree",  "disagrees"};
  static constexpr std::array kGood{"pass",       "passed",       "passes",    "correct", "success",
                                    "successful", "successfully", "match",     "matches", "verified",
                                    "ok",         "equal",        "identical", "agree",   "agrees"};
  static constexpr std::array kNot{"no", "not", "without", "zero", "never"};
  // What makes a longer line one about a comparison.
  static constexpr std::array kCompared{
      "test",       "tests",    "result",   "results",  "reference", "cpu",         "verification",
      "validation", "verify",   "verified", "check",    "compare",   "comparison",  "output",
      "outputs",    "answer",   "match",    "matches",  "mismatch",  "mismatches",  "mismatched",
      "max",        "maximum",  "largest",  "relative", "absolute",  "rms",         "rmse",
      "points",     "elements", "values",   "number",   "errors",    "differences", "wrong"};
  constexpr std::size_t kShort = 3;  // "PASSED", "Test did not fail"
  const std::string line = lower(original);
  const std::vector<Token> tokens = tokensOf(line);
  // The runtime's own words for an error code, and an error that a GPU reported.
  if (line.find("cuda") != std::string::npos || line.ends_with("no error")) { return std::nullopt; }
  const auto about = [](const Token& token) { return isOneOf(token, kCompared); };
  if (tokens.size() > kShort && std::ranges::none_of(tokens, about)) { return std::nullopt; }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!isOneOf(tokens[i], kAmounts)) { continue; }
    if (i > 0 && tokens[i - 1].word.empty()) { return std::abs(tokens[i - 1].number) <= kRounding; }
    if (i > 0 && isOneOf(tokens[i - 1], kNot)) { return true; }
    const auto number = std::find_if(tokens.begin() + static_cast<std::ptrdiff_t>(i), tokens.end(),
                                     [](const Token& one) { return one.word.empty(); });
    if (number != tokens.end()) { return std::abs(number->number) <= kRounding; }
  }
  const auto negated = [&](std::size_t i) { return i > 0 && isOneOf(tokens[i - 1], kNot); };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (isOneOf(tokens[i], kBad)) { return negated(i); }
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (isOneOf(tokens[i], kGood)) { return !negated(i); }
  }
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

void addOwnCheck(ProgramRun& run) {
  const std::optional<OwnCheck> own = ownCheckIn(run.output);
  if (!own || own->passed || run.end != ProgramEnd::Exited || run.launches.empty()) { return; }
  const auto isUnsuspected = [&](const ProgramLaunch& one) {
    return one.executed && one.problem.empty() && one.findings.empty() && one.ownFunction.empty() &&
           one.program != nullptr && one.kernel == run.launches.front().kernel &&
           one.blocks == one.configuration.grid.count();
  };
  const auto isFault = [](const HostFinding& one) { return rowOf(one.kind).fault; };
  if (!std::ranges::all_of(run.launches, isUnsuspected) || std::ranges::any_of(run.findings, isFault)) { return; }
  ProgramLaunch& last = run.launches.back();
  analysis::Finding finding;
  finding.kind = analysis::FindingKind::WrongResult;
  finding.where = last.program->kernelRange;
  finding.where.endLine = finding.where.line;
  finding.message = fmt::format(
      "the program's own comparison fails ({}), and {} is its only kernel; if the kernel is right, look at what the "
      "host "
      "passes to it and compares with",
      own->line, last.kernel);
  last.findings.push_back(std::move(finding));
}

bool explainsOwnCheck(const ProgramRun& run) {
  return std::ranges::any_of(run.launches, [](const ProgramLaunch& one) { return !one.findings.empty(); });
}

}  // namespace haloscope::running
