#include "verdict/Verdict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "language/Text.h"
#include "verdict/Remark.h"

namespace haloscope::verdict {

namespace {

std::string namesOf(const Evidence& evidence) {
  constexpr std::size_t kNamed = 4;
  const std::vector<std::string>& all = evidence.with;
  if (all.size() <= kNamed) { return fmt::format("{}", fmt::join(all, ", ")); }
  const std::size_t more = all.size() - kNamed;
  return trn("{} and {} other", "{} and {} others", more, fmt::join(all.begin(), all.begin() + kNamed, ", "), more);
}

/// A result of one word, and with what it was compared.
struct ShortResult {
  std::string word, with;
};

ShortResult shortResult(const Verdict& verdict) {
  const EvidenceList& all = verdict.evidence;
  const Evidence* const decisive = all.decisive();
  if (decisive != nullptr && decisive->outcome == Outcome::Unlike) {
    return {tr("disagrees"), trf("with {}", namesOf(*decisive))};
  }
  if (verdict.kind == Kind::Wrong || (decisive != nullptr && decisive->outcome == Outcome::Differs)) {
    return {tr("differs"), ""};
  }
  if (decisive == nullptr || !verdict.doubt.empty()) { return {tr("not compared"), ""}; }
  const Evidence* const siblings = all.of(Basis::Siblings);
  switch (decisive->basis) {
    case Basis::Reference:
    case Basis::Siblings:
      return {tr("agrees"), trf("with {}", namesOf(*decisive))};
    case Basis::Definition:
      return {tr("matches"), tr("its definition")};
    case Basis::OwnFunction:
      return {tr("matches"),
              namesOf(*decisive) + (decisive->onOwnDataOnly ? tr(", on the program's own data only") : "")};
    case Basis::Recognised:
      return {tr("matches"), tr("the sum that it is recognised as")};
    case Basis::OwnComparison:
      return {tr("own check"), siblings == nullptr || siblings->outcome != Outcome::Agrees
                                   ? ""
                                   : trf("and agrees with {}", namesOf(*siblings))};
    case Basis::MovedData:
      break;
  }
  return {tr("uniform"), ""};
}

}  // namespace

std::string textOf(const Remark& remark) {
  std::string text;
  if (!remark.place.file.empty()) {
    text = remark.place.file;
    if (remark.place.range.valid()) { text += fmt::format(":{}", remark.place.range.line); }
    text += ": ";
  }
  if (remark.isFinding) { text += remark.kind + ": "; }
  return text + remark.message;
}

std::string sizesText(const std::vector<ComparedSize>& at) {
  std::string text;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const char* const before = i == 0 ? "" : i + 1 == at.size() ? tr(" and ") : ", ";
    text += before +
            trn("{} ({} point)", "{} ({} points)", static_cast<std::uint64_t>(at[i].points), at[i].sizes, at[i].points);
  }
  return text;
}

std::string nameOf(const Evidence& evidence) {
  return evidence.basis == Basis::OwnComparison ? trf("the program's own comparison ({})", namesOf(evidence))
                                                : trf("the comparison with {}", namesOf(evidence));
}

void EvidenceList::add(Evidence evidence) {
  drop(evidence.basis);
  const auto at = std::ranges::lower_bound(all_, evidence.basis, {}, &Evidence::basis);
  all_.insert(at, std::move(evidence));
}

void EvidenceList::drop(Basis basis) {
  std::erase_if(all_, [&](const Evidence& one) { return one.basis == basis; });
}

const Evidence* EvidenceList::of(Basis basis) const {
  const auto found = std::ranges::find(all_, basis, &Evidence::basis);
  return found == all_.end() ? nullptr : &*found;
}

bool EvidenceList::has(Basis basis, Outcome outcome) const {
  const Evidence* const one = of(basis);
  return one != nullptr && one->outcome == outcome;
}

const Evidence* EvidenceList::decisive() const {
  const auto decides = [](const Evidence& one) {
    return one.outcome == Outcome::Differs || (one.outcome == Outcome::Agrees && rowOf(one.basis).says);
  };
  const auto found = std::ranges::find_if(all_, decides);
  if (found != all_.end()) { return &*found; }
  const auto unlike = std::ranges::find(all_, Outcome::Unlike, &Evidence::outcome);
  if (unlike != all_.end()) { return &*unlike; }
  return all_.empty() ? nullptr : &all_.front();
}

bool EvidenceList::isCompared() const {
  return std::ranges::any_of(all_, [](const Evidence& one) { return one.outcome != Outcome::Unlike; });
}

std::optional<bool> EvidenceList::matches() const {
  const Evidence* const one = decisive();
  if (one != nullptr && one->outcome == Outcome::Differs) { return false; }
  if (has(Basis::Definition, Outcome::Agrees) || has(Basis::Recognised, Outcome::Agrees)) { return true; }
  return std::nullopt;
}

const char* wordOf(Kind kind) {
  static constexpr std::array kWords = {
#define HALOSCOPE_WORD(name, word) word,
      HALOSCOPE_VERDICT_KINDS(HALOSCOPE_WORD)
#undef HALOSCOPE_WORD
  };
  return kWords.at(static_cast<std::size_t>(kind));
}

const char* wordOf(Scope scope) {
  static constexpr std::array kWords{"nothing", "proposed-launch", "given-launch", "part-of-launches", "all-launches"};
  return kWords.at(static_cast<std::size_t>(scope));
}

std::string resultText(const Verdict& verdict) {
  const auto [word, with] = shortResult(verdict);
  return with.empty() ? word : word + " " + with;
}

std::string clause(const Verdict& verdict) {
  if (!verdict.doubt.empty()) { return verdict.doubt; }
  const Evidence* const decisive = verdict.evidence.decisive();
  if (decisive == nullptr) { return tr("nothing says what it should compute"); }
  const std::string names = namesOf(*decisive);
  if (decisive->outcome == Outcome::Unlike) {
    return trf("its result differs from that of {}; which is right is not known", names);
  }
  switch (decisive->basis) {
    case Basis::Reference:
      return decisive->at.empty() ? trf("it computes the same as {} from the same data", names)
                                  : trf("it computes the same as {}, at {}", names, sizesText(decisive->at));
    case Basis::Definition:
      return tr("it computes what its header says");
    case Basis::OwnFunction:
      return decisive->onOwnDataOnly
                 ? trf("it computes what the program's own {} does, from the program's data alone", names)
                 : trf("it computes what the program's own {} does, from the program's data and from others", names);
    case Basis::OwnComparison:
      return trf("the program's own comparison accepts it: {}", names);
    case Basis::Recognised:
      return tr("all its points are the sum that it is recognised as; whether that is meant is not known");
    case Basis::Siblings:
      return trf("it computes the same as {}; that they are wrong alike is not excluded", names);
    case Basis::MovedData:
      break;
  }
  return tr("all its points are computed alike; nothing says what they should be");
}

}  // namespace haloscope::verdict
