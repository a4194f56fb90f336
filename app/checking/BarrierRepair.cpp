#include "checking/BarrierRepair.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checking/TextFixes.h"
#include "language/Text.h"

namespace haloscope::checking {

namespace {

constexpr std::size_t kMostTried = 6;
constexpr std::size_t kBehind = 3;  ///< places behind both accesses, for a race of one turn of a loop with the next

/// The end of a statement.
struct StatementEnd {
  SourceRange at;  ///< empty, behind it
  int depth = 0;   ///< of braces
};

/// The ends of statements in a range of lines, where a statement may follow or may not: what is tried is compiled.
class StatementEnds {
 public:
  StatementEnds(const std::string& text, int first, int last) : text_(text), first_(first), last_(last) {}

  std::vector<StatementEnd> all() {
    while (at_ < text_.size() && line_ <= last_) {
      if (starts("//")) {
        skipTo("\n", false);
      } else if (starts("/*")) {
        skipTo("*/", true);
      } else if (text_[at_] == '"' || text_[at_] == '\'') {
        skipLiteral();
      } else {
        take(text_[at_]);
      }
    }
    return std::move(ends_);
  }

 private:
  [[nodiscard]] bool starts(std::string_view word) const {
    return std::string_view(text_).substr(at_).starts_with(word);
  }

  void advance() {
    if (text_[at_++] == '\n') {
      ++line_;
      lineBegin_ = at_;
    }
  }

  void skipTo(std::string_view end, bool behind) {
    while (at_ < text_.size() && !starts(end)) { advance(); }
    for (std::size_t i = 0; behind && i < end.size() && at_ < text_.size(); ++i) { advance(); }
  }

  void skipLiteral() {
    const char quote = text_[at_];
    advance();
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      if (text_[at_] == '\\') { ++at_; }
      if (at_ < text_.size()) { advance(); }
    }
    if (at_ < text_.size()) { advance(); }
  }

  void take(char c) {
    parentheses_ += c == '(' ? 1 : c == ')' ? -1 : 0;
    depth_ += c == '{' ? 1 : c == '}' ? -1 : 0;
    const bool ends = (c == ';' && parentheses_ == 0) || c == '}';
    const int line = line_;
    advance();
    if (!ends || line < first_) { return; }
    const int column = static_cast<int>(at_ - lineBegin_) + 1;
    ends_.push_back({{line, column, line, column}, depth_});
  }

  const std::string& text_;
  const int first_, last_;
  std::size_t at_ = 0, lineBegin_ = 0;
  int line_ = 1, depth_ = 0, parentheses_ = 0;
  std::vector<StatementEnd> ends_;
};

/// The places at which a barrier is tried: between the accesses, the outermost first, then behind both.
std::vector<StatementEnd> placesToTry(const std::string& text, const SourceRange& kernel, const faults::Finding& race) {
  const auto [low, high] = std::minmax(race.where.line, race.other.line);
  std::vector<StatementEnd> between, behind;
  for (const StatementEnd& one : StatementEnds(text, kernel.line, kernel.endLine).all()) {
    if (one.at.line >= low && one.at.line < high) { between.push_back(one); }
    if (one.at.line >= high) { behind.push_back(one); }
  }
  std::ranges::stable_sort(between, {}, &StatementEnd::depth);
  if (between.size() > kMostTried - kBehind) { between.resize(kMostTried - kBehind); }
  behind.resize(std::min(behind.size(), kMostTried - between.size()));
  between.insert(between.end(), behind.begin(), behind.end());
  return between;
}

/// That of a line, or of the next one if that is less deep and no block ends there: the line may belong to an if.
std::string indentAfter(const std::string& text, int line) {
  std::istringstream lines(text);
  std::string one, indent;
  for (int number = 1; number <= line + 1 && std::getline(lines, one); ++number) {
    const std::size_t begin = one.find_first_not_of(" \t");
    if (number < line || begin == std::string::npos) { continue; }
    if (number == line || (begin < indent.size() && one[begin] != '}')) { indent = one.substr(0, begin); }
  }
  return indent;
}

}  // namespace

void mendRace(CheckReport& report, const KernelFile& file, const Bindings& bindings, const CheckOptions& options) {
  const auto isRace = [](const faults::Finding& one) { return one.kind == faults::FindingKind::RaceShared; };
  if (!report.program || report.findings.empty() || !std::ranges::all_of(report.findings, isRace)) { return; }
  faults::Finding& race = report.findings.front();
  if (!race.where.valid() || !race.other.valid()) { return; }
  for (const StatementEnd& place : placesToTry(file.text, report.program->kernelRange, race)) {
    const faults::TextEdit edit{place.at, "\n" + indentAfter(file.text, place.at.line) + "__syncthreads();"};
    KernelFile changed = file;
    changed.text = withEdits(file.text, {edit});
    try {
      const CheckReport mended = check(changed, bindings, options);
      if (mended.program == nullptr || !mended.findings.empty() || mended.evidence.matches() == false) { continue; }
    } catch (const UserError&) { continue; }  // no statement can follow there
    race.remedy = trf("with a __syncthreads() after line {} nothing is found any more", place.at.line);
    race.fix = {edit};
    return;
  }
}

}  // namespace haloscope::checking
