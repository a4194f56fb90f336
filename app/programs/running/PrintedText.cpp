#include "running/PrintedText.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace haloscope::running {

namespace {

/// A longer line is data.
constexpr std::size_t kLongestLine = 512;
constexpr std::size_t kMostPrintedLines = 2000;
/// A difference that is smaller, compared with what a damaged result gives, is rounding.
constexpr double kNextToNothing = 1e-4;
/// One that is larger is none.
constexpr double kClear = 0.02;

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// The length of a number that begins here, or 0.
std::size_t numberAt(const std::string& line, std::size_t at, double& value) {
  // Not in a name: "heat2d", "L2".
  if (at > 0 && isWord(line[at - 1])) { return 0; }
  std::size_t sign = at;
  if (line[at] == '-' || line[at] == '+') { ++sign; }
  const auto is = [&](const char* name) {
    const std::size_t length = std::char_traits<char>::length(name);
    if (sign + length > line.size() || (sign + length < line.size() && isWord(line[sign + length]))) { return false; }
    for (std::size_t i = 0; i < length; ++i) {
      if (std::tolower(static_cast<unsigned char>(line[sign + i])) != name[i]) { return false; }
    }
    return true;
  };
  const bool digits = sign < line.size() &&
                      (isDigit(line[sign]) || (line[sign] == '.' && sign + 1 < line.size() && isDigit(line[sign + 1])));
  if (!digits && !is("nan") && !is("inf")) { return 0; }
  char* end = nullptr;
  value = std::strtod(line.c_str() + at, &end);
  return static_cast<std::size_t>(end - (line.c_str() + at));
}

PrintedLine lineOf(std::string text) {
  PrintedLine line{.text = std::move(text), .form = {}, .numbers = {}};
  for (std::size_t at = 0; at < line.text.size();) {
    double value = 0;
    if (const std::size_t length = numberAt(line.text, at, value); length > 0) {
      line.form += '#';
      line.numbers.push_back(value);
      at += length;
      continue;
    }
    const bool space = std::isspace(static_cast<unsigned char>(line.text[at])) != 0;
    if (!space) {
      line.form += line.text[at];
    } else if (!line.form.empty() && line.form.back() != ' ') {
      line.form += ' ';
    }
    ++at;
  }
  while (!line.form.empty() && line.form.back() == ' ') { line.form.pop_back(); }
  return line;
}

std::set<std::string> formsOf(const Printed& one) {
  std::set<std::string> forms;
  for (const PrintedLine& line : one.lines) { forms.insert(line.form); }
  return forms;
}

/// The first line of `one` whose form is in none of the others.
const PrintedLine* firstMissing(const Printed& one, const std::vector<Printed>& others) {
  const auto found = std::ranges::find_if(one.lines, [&](const PrintedLine& line) {
    return std::ranges::none_of(others, [&](const Printed& other) { return other.has(line.form); });
  });
  return found == one.lines.end() ? nullptr : &*found;
}

/// Whether all of them have a line that `one` has not; true if none has any.
bool shareWhatIsNew(const Printed& one, const std::vector<Printed>& others) {
  std::set<std::string> common;
  bool any = false;
  for (std::size_t i = 0; i < others.size(); ++i) {
    std::set<std::string> fresh;
    for (const std::string& form : formsOf(others[i])) {
      if (!one.has(form)) { fresh.insert(form); }
    }
    any = any || !fresh.empty();
    if (i == 0) {
      common = std::move(fresh);
    } else {
      std::erase_if(common, [&](const std::string& form) { return !fresh.contains(form); });
    }
  }
  return !any || !common.empty();
}

/// The n-th line of a form.
const PrintedLine& nthOf(const Printed& all, const std::string& form, std::size_t n) {
  const auto isNext = [&](const PrintedLine& line) { return line.form == form && n-- == 0; };
  return *std::ranges::find_if(all.lines, isNext);
}

/// A number, in its place in the output.
struct Slot {
  const PrintedLine* line = nullptr;
  double own = 0;
  std::vector<double> others;
};

/// The numbers of `one` whose places all others have, too.
std::vector<Slot> slotsOf(const Printed& one, const std::vector<Printed>& others) {
  std::vector<Slot> slots;
  std::map<std::string, std::size_t> seen;
  for (const PrintedLine& line : one.lines) {
    const std::size_t n = seen[line.form]++;
    const std::size_t count = one.count(line.form);
    if (!std::ranges::all_of(others, [&](const Printed& other) { return other.count(line.form) == count; })) {
      continue;
    }
    for (std::size_t i = 0; i < line.numbers.size(); ++i) {
      Slot slot{.line = &line, .own = line.numbers[i], .others = {}};
      for (const Printed& other : others) { slot.others.push_back(nthOf(other, line.form, n).numbers[i]); }
      slots.push_back(std::move(slot));
    }
  }
  return slots;
}

/// Whether a number says yes to one result and no to all others, or the reverse.
bool decides(double own, const std::vector<double>& others) {
  const auto isOther = [&](double other) { return other == 1 - own; };
  return (own == 0 || own == 1) && others.size() > 1 && std::ranges::all_of(others, isOther);
}

/// Whether a number counts something, and more for all others.
bool isGrowingCount(const Slot& slot) {
  const auto isMore = [&](double other) { return other > slot.own && other == std::floor(other); };
  return slot.own >= 1 && slot.own == std::floor(slot.own) && std::ranges::all_of(slot.others, isMore);
}

double smallest(const std::vector<double>& values) {
  double least = std::numeric_limits<double>::infinity();
  for (const double one : values) { least = std::isnan(one) ? least : std::min(least, std::abs(one)); }
  return least;
}

/// Whether a number is a difference that only others have.
bool isNextToNothing(double own, const std::vector<double>& others) {
  const double least = smallest(others);
  return std::isfinite(own) && least > 0 && std::isfinite(least) && std::abs(own) <= kNextToNothing * least;
}

}  // namespace

std::size_t Printed::count(const std::string& form) const {
  return static_cast<std::size_t>(std::ranges::count(lines, form, &PrintedLine::form));
}

Printed printedBy(const Seen& seen) {
  Printed all{.end = seen.end, .status = seen.status, .lines = {}};
  std::size_t begin = 0;
  while (begin < seen.output.size() && all.lines.size() < kMostPrintedLines) {
    const std::size_t end = std::min(seen.output.find('\n', begin), seen.output.size());
    if (end - begin <= kLongestLine) {
      PrintedLine line = lineOf(seen.output.substr(begin, end - begin));
      if (!line.form.empty()) { all.lines.push_back(std::move(line)); }
    }
    begin = end + 1;
  }
  return all;
}

std::optional<Sign> signOf(const Printed& one, const std::vector<Printed>& others) {
  if (others.empty() || !std::ranges::all_of(others, &Printed::isOver)) { return std::nullopt; }
  const bool sameEnds =
      std::ranges::all_of(others, [&](const Printed& other) { return other.endsLike(others.front()); });
  const bool otherEnd = sameEnds && !one.endsLike(others.front());
  const PrintedLine* const lost = firstMissing(one, others);
  const bool fresh = std::ranges::all_of(others, [&](const Printed& other) {
    return std::ranges::any_of(other.lines, [&](const PrintedLine& line) { return !one.has(line.form); });
  });
  if (shareWhatIsNew(one, others) && (lost != nullptr || fresh)) {
    // The program may print the same of other results.
    const auto fewer = std::ranges::find_if(one.lines, [&](const PrintedLine& line) {
      return std::ranges::all_of(others,
                                 [&](const Printed& other) { return other.count(line.form) < one.count(line.form); });
    });
    return Sign{.line = lost != nullptr            ? lost->text
                        : fewer != one.lines.end() ? fewer->text
                                                   : std::string(),
                .ends = otherEnd};
  }
  if (otherEnd) { return Sign{.ends = true}; }
  for (const Slot& slot : slotsOf(one, others)) {
    if (decides(slot.own, slot.others) || isNextToNothing(slot.own, slot.others)) {
      return Sign{.line = slot.line->text};
    }
  }
  return std::nullopt;
}

std::optional<Sign> rejectionOf(const Printed& found, const Printed& expected, const std::vector<Printed>& damaged,
                                bool clearly) {
  if (!expected.isOver() || !std::ranges::all_of(damaged, &Printed::isOver)) { return std::nullopt; }
  const auto returns = [&](const std::string& form) {
    return std::ranges::all_of(damaged, [&](const Printed& one) { return one.has(form); });
  };
  const bool ends = !found.endsLike(expected) && expected.end == ProgramEnd::Exited && expected.status == 0 &&
                    std::ranges::all_of(damaged, [&](const Printed& one) { return one.endsLike(found); });
  for (const PrintedLine& line : found.lines) {
    if (!expected.has(line.form) && returns(line.form)) { return Sign{.line = line.text, .ends = ends}; }
  }
  // It only says that a result is right.
  const PrintedLine* const accepts = firstMissing(expected, damaged);
  if (accepts != nullptr && !found.has(accepts->form)) { return Sign{.ends = ends}; }
  std::vector<Printed> others = damaged;
  others.push_back(found);
  const double least = clearly ? kClear : 2 * kNextToNothing;
  for (const Slot& slot : slotsOf(expected, others)) {
    const double own = slot.others.back();
    const std::vector<double> rest(slot.others.begin(), slot.others.end() - 1);
    const bool clear = isNextToNothing(slot.own, rest) && (std::isnan(own) || std::abs(own) >= least * smallest(rest));
    if (!decides(slot.own, slot.others) && !clear) { continue; }
    const auto line = std::ranges::find(found.lines, slot.line->form, &PrintedLine::form);
    return Sign{.line = line->text, .ends = ends};
  }
  return ends ? std::optional(Sign{.ends = true}) : std::nullopt;
}

bool hasGrowingCount(const Printed& one, const std::vector<Printed>& exchanged) {
  return !exchanged.empty() && std::ranges::any_of(slotsOf(one, exchanged), isGrowingCount);
}

std::optional<Sign> countOf(const Printed& one, const std::vector<Printed>& more, const Printed& tooLarge,
                            const Printed& tooSmall, std::int64_t elements) {
  std::vector<Printed> others = more;
  others.push_back(tooLarge);
  others.push_back(tooSmall);
  for (const Slot& slot : slotsOf(one, others)) {
    const double most = slot.others.back();
    if (isGrowingCount(slot) && slot.others[slot.others.size() - 2] == most &&
        most == *std::ranges::max_element(slot.others) && most <= static_cast<double>(elements)) {
      return Sign{.line = slot.line->text};
    }
  }
  return std::nullopt;
}

}  // namespace haloscope::running
