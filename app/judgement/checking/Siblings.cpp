#include "checking/Siblings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "analysis/ElementName.h"
#include "checking/SiblingRunner.h"
#include "checking/TakenCoefficients.h"
#include "checking/WrongResult.h"
#include "experiment/FlatArray.h"
#include "experiment/InputData.h"
#include "experiment/TapDifference.h"
#include "language/Text.h"
#include "program/AccessedObjects.h"
#include "provenance/WritingBlock.h"

namespace haloscope::checking {

namespace {

/// A kernel that differs at a larger share of the points than this may be meant to compute something else.
constexpr double kMostDiffering = 0.5;

using Runner = SiblingRunner;
using verdict::Basis;
using verdict::Outcome;

/// The kernel as a message calls it in that of another: with its file, if it is not the same.
std::string nameBeside(const Sibling& other, const Sibling& own) {
  const std::string file = other.file->path.filename().string();
  return file == own.file->path.filename().string() ? other.report->kernel : file + ":" + other.report->kernel;
}

/// Two instances of a template may differ in what they compute as their arguments do.
bool isOtherInstance(const std::string& one, const std::string& other) {
  return one != other && one.ends_with('>') && one.substr(0, one.find('<')) == other.substr(0, other.find('<'));
}

/// Whether the kernel matches a reference that does not come from the kernel itself.
bool matchesItsOwnReference(const Sibling& sibling) {
  const verdict::EvidenceList& evidence = sibling.report->evidence;
  const verdict::Evidence* const own = evidence.of(Basis::OwnFunction);
  if (own != nullptr && own->outcome == Outcome::Agrees && !own->onOwnDataOnly) { return true; }
  const bool observed = sibling.file->computes && sibling.file->computes->observed;
  return evidence.has(Basis::Definition, Outcome::Agrees) ||
         (evidence.has(Basis::Recognised, Outcome::Agrees) && !observed);
}

class FamilyComparison {
 public:
  FamilyComparison(std::vector<Runner> runners, const std::stop_token& stop)
      : runners_(std::move(runners)), stop_(stop) {
    const Runner& first = runners_.front();
    for (const ObjectId object : first.arrays) { data_.push_back(first.launch.arrays[object]); }
    for (const Runner& one : runners_) {
      if (takeOwnIntegers(*one.sibling, data_)) { break; }
    }
    for (const std::size_t scalar : first.scalars) { scalars_.push_back(first.launch.arguments[scalar]); }
    makeCoefficientsDiffer(first, scalars_);
  }

  void compare() {
    std::vector<std::optional<std::vector<ArrayData>>> results;
    for (const Runner& runner : runners_) { results.push_back(executed(runner, data_, scalars_, stop_)); }
    const std::vector<std::size_t> right = majority(results);
    if (right.empty()) { return noteDisagreement(results); }
    const std::vector<std::size_t> references = namedReferences(results);
    // Where nothing was computed, whatever a kernel computes agrees.
    const bool shows = changedPoints(runners_[right.front()], data_, *results[right.front()]) > 0;
    for (std::size_t i = 0; i < runners_.size(); ++i) {
      if (!results[i]) { continue; }
      CheckReport& report = *runners_[i].sibling->report;
      if (std::ranges::find(right, i) != right.end()) {
        if (!shows) { continue; }
        const bool named = !references.empty();
        report.evidence.add({named ? Basis::Reference : Basis::Siblings, Outcome::Agrees, namesWithout(right, i)});
        continue;
      }
      // The user may name several, which compute different things.
      std::vector<std::size_t> same = references;
      std::erase_if(same,
                    [&](std::size_t one) { return differenceOf(runners_[i], *results[one], *results[i]).count > 0; });
      if (!same.empty()) {
        if (changedPoints(runners_[i], data_, *results[i]) == 0) { continue; }
        report.evidence.add({Basis::Reference, Outcome::Agrees, namesWithout(same, i)});
        continue;
      }
      if (references.empty() && matchesItsOwnReference(*runners_[i].sibling)) { continue; }
      this->report(i, right, *results[right.front()], *results[i]);
    }
  }

 private:
  using Results = std::vector<std::optional<std::vector<ArrayData>>>;

  /// Those whose result counts as right: what agrees with a kernel that matches its reference, or else the largest
  /// group of at least two, if no other is as large.
  [[nodiscard]] std::vector<std::size_t> majority(const Results& results) const {
    std::vector<std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (!results[i]) { continue; }
      const auto same = std::ranges::find_if(groups, [&](const std::vector<std::size_t>& group) {
        return differenceOf(runners_[i], *results[group.front()], *results[i]).count == 0;
      });
      if (same == groups.end()) {
        groups.push_back({i});
      } else {
        same->push_back(i);
      }
    }
    const auto referenced = [&](const std::vector<std::size_t>& group) {
      return std::ranges::any_of(group, [&](std::size_t i) { return matchesItsOwnReference(*runners_[i].sibling); });
    };
    const auto named = std::ranges::find_if(groups, [&](const std::vector<std::size_t>& group) {
      return std::ranges::any_of(group, [&](std::size_t i) { return runners_[i].sibling->isReference; });
    });
    if (named != groups.end()) { return *named; }
    const auto known = std::ranges::find_if(groups, referenced);
    if (known != groups.end()) { return *known; }
    // What the program itself says of each is worth less: its data need not show a mistake.
    const auto rejected = [&](std::size_t i) {
      return runners_[i].sibling->report->evidence.has(Basis::OwnComparison, Outcome::Differs);
    };
    const auto isAccepted = [&](const std::vector<std::size_t>& group) {
      return std::ranges::none_of(group, rejected) && std::ranges::any_of(group, [&](std::size_t i) {
               return runners_[i].sibling->report->evidence.has(Basis::OwnComparison, Outcome::Agrees);
             });
    };
    const auto accepted = std::ranges::find_if(groups, isAccepted);
    if (accepted != groups.end() && std::ranges::all_of(groups, [&](const std::vector<std::size_t>& group) {
          return &group == &*accepted || std::ranges::any_of(group, rejected);
        })) {
      return *accepted;
    }
    // What races is no witness of anything.
    for (std::vector<std::size_t>& group : groups) {
      std::erase_if(group, [this](std::size_t i) { return races(i); });
    }
    std::ranges::stable_sort(groups, std::greater{}, [](const auto& group) { return group.size(); });
    const bool clear = !groups.empty() && groups.front().size() > 1 &&
                       (groups.size() == 1 || groups[1].size() < groups.front().size());
    return clear ? groups.front() : std::vector<std::size_t>{};
  }

  /// Those that the user named, and that came to their end.
  [[nodiscard]] std::vector<std::size_t> namedReferences(const Results& results) const {
    std::vector<std::size_t> named;
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (results[i] && runners_[i].sibling->isReference) { named.push_back(i); }
    }
    return named;
  }

  [[nodiscard]] std::vector<std::string> namesWithout(const std::vector<std::size_t>& group,
                                                      std::size_t without) const {
    std::vector<std::string> names;
    for (const std::size_t i : group) {
      if (i != without) { names.push_back(nameBeside(*runners_[i].sibling, *runners_[without].sibling)); }
    }
    return names;
  }

  /// Where no group is larger than the others, each kernel that is like another one gets a finding.
  void noteDisagreement(const Results& results) const {
    for (std::size_t i = 0; i < results.size(); ++i) {
      std::vector<std::string> others, racing;
      std::optional<std::size_t> like;
      for (std::size_t j = 0; j < results.size(); ++j) {
        const bool differs = i != j && !areSteps(i, j) && results[i] && results[j] &&
                             differenceOf(runners_[i], *results[j], *results[i]).count > 0;
        if (!differs) { continue; }
        const std::string name = nameBeside(*runners_[j].sibling, *runners_[i].sibling);
        if (races(j)) {
          racing.push_back(name);
          continue;
        }
        others.push_back(name);
        if (!like) { like = j; }
      }
      CheckReport& report = *runners_[i].sibling->report;
      if (!racing.empty() && !races(i)) {
        report.notes.push_back(
            trn("Its result differs from that of {}, which has a race: that says nothing of this one.",
                "Its result differs from those of {}, which have races: that says nothing of this "
                "one.",
                racing.size(), fmt::join(racing, ", ")));
      }
      if (others.empty()) { continue; }
      const std::string names = fmt::format("{}", fmt::join(others, ", "));
      const ResultDifference difference = differenceOf(runners_[i], *results[*like], *results[i]);
      const Explanation why = explanation(*like, i, difference, {.other = others.front()});
      // One of two is innocent: what shows a mistake is more than that they differ.
      // Where the program accepts one alone, it is the other that has to explain itself.
      const bool isTheAccepted = programAccepts(i) && !programAccepts(*like);
      const bool meant = !isTheAccepted && !isOtherInstance(report.kernel, runners_[*like].sibling->report->kernel) &&
                         (why.twice || this->alike(i, *like));
      if (meant) {
        faults::Finding finding = findingOf(i, difference, others, why);
        finding.message +=
            others.size() == 1 ? tr("; which of the two is right is not known") : tr("; which is right is not known");
        addWrongResult(report.findings, std::move(finding));
      } else {
        report.notes.push_back(
            trf("Its result differs from that of {} on the same data; which one is right is not known.", names));
      }
      report.evidence.add({Basis::Siblings, Outcome::Unlike, std::move(others)});
      // What it was recognised as comes from the kernel itself.
      if (meant && runners_[i].sibling->file->computes && runners_[i].sibling->file->computes->observed) {
        report.evidence.drop(Basis::Recognised);
      }
    }
  }

  /// Whether one has read what the other has computed in their program: then each is a step, and no other way to do
  /// what the other does.
  [[nodiscard]] bool areSteps(std::size_t a, std::size_t b) const {
    const CheckReport &one = *runners_[a].sibling->report, &other = *runners_[b].sibling->report;
    return one.takesUp.contains(other.kernel) || other.takesUp.contains(one.kernel);
  }

  /// Then what it computes is not the same each time.
  [[nodiscard]] bool races(std::size_t i) const {
    return std::ranges::any_of(runners_[i].sibling->report->findings, [](const faults::Finding& one) {
      return one.kind == faults::FindingKind::RaceShared || one.kind == faults::FindingKind::RaceGlobal;
    });
  }
  [[nodiscard]] bool programAccepts(std::size_t i) const {
    return runners_[i].sibling->report->evidence.has(Basis::OwnComparison, Outcome::Agrees);
  }

  /// Whether they have made the same of the program's own data.
  [[nodiscard]] bool alike(std::size_t a, std::size_t b) const {
    return runners_[a].sibling->report->alike.contains(runners_[b].sibling->report->kernel);
  }

  /// What a kernel does otherwise than another one.
  struct Explanation {
    std::string text;      ///< "it takes c4 where the others take c3"; empty: nothing that can be said in a few words
    bool few = false;      ///< not enough for another purpose
    bool isOther = false;  ///< enough for another one, whatever the points at which they differ
    bool twice = false;    ///< one neighbour instead of both
  };

  void report(std::size_t odd, const std::vector<std::size_t>& right, const std::vector<ArrayData>& expected,
              const std::vector<ArrayData>& found) {
    const ResultDifference difference = differenceOf(runners_[odd], expected, found);
    const bool isStep = std::ranges::all_of(
        right, [&](std::size_t i) { return areSteps(i, odd) && !runners_[i].sibling->isReference; });
    if (difference.count == 0 || isStep) { return; }
    CheckReport& report = *runners_[odd].sibling->report;
    const auto isAssumed = [&](std::size_t i) { return runners_[i].sibling->isAssumed; };
    if ((isAssumed(odd) || std::ranges::any_of(right, isAssumed)) && oneLeavesAlone(difference, expected, found)) {
      report.notes.push_back(
          trf("It leaves points alone that {} computes, or the other way round, with launches that "
              "are assumed.",
              fmt::join(namesWithout(right, odd), ", ")));
      return;
    }
    const std::vector<std::string> names = namesWithout(right, odd);
    if (oneLeavesAlone(difference, expected, found) && runners_[odd].sibling->endsAlike &&
        runners_[odd].sibling->endsAlike()) {
      report.notes.push_back(
          trf("It leaves points alone that {} computes, or the other way round; the host gets the same "
              "from both.",
              fmt::join(names, ", ")));
      return;
    }
    std::vector<experiment::WrongPoint> points = firstPoints(odd, difference, expected, found);
    const bool several = right.size() > 1;
    const Explanation why = explanation(right.front(), odd, difference,
                                        {.other = several ? tr("the others") : names.front(), .several = several});
    // A wrong number has its cause in a fault, where there is one.
    const bool faulty =
        std::ranges::any_of(report.findings, [](const faults::Finding& one) { return !isWrongResult(one); });
    const verdict::Evidence differs{basisOf(right), Outcome::Differs, names};
    if (why.text.empty() && faulty) {
      report.evidence.add(differs);
      report.wrongPoints = std::move(points);
      report.expectedBy = fmt::format("{}", fmt::join(names, ", "));
      return;
    }
    const bool atBorder =
        static_cast<std::size_t>(difference.count) == difference.points.size() &&
        experiment::lieAtBorder(difference.points, expected[difference.array].elementCount(), sizesOf(runners_[odd]));
    // Kernels with the same parameters may have different purposes, and different rules for the border.
    // A sum and a mean of the same points differ in few taps, too: it takes two others to say which was meant.
    const bool meant =
        (why.few && several && !why.isOther && !atBorder) || why.twice ||
        report.evidence.has(Basis::OwnComparison, Outcome::Differs) ||
        std::ranges::any_of(right, [&](std::size_t i) { return runners_[i].sibling->isReference || alike(i, odd); });
    if (!meant && (why.isOther || atBorder || shareOf(difference, expected, found) > kMostDiffering)) {
      report.notes.push_back(
          why.isOther
              ? trf("It takes the same arguments as {}, and other neighbours or other weights.", fmt::join(names, ", "))
          : atBorder ? trf("It takes the same arguments as {}, and its result differs at the border alone.",
                           fmt::join(names, ", "))
                     : trf("It takes the same arguments as {}, and its result differs nearly everywhere.",
                           fmt::join(names, ", ")));
      return;
    }
    addWrongResult(report.findings, findingOf(odd, difference, names, why));
    report.evidence.add(differs);
    report.wrongPoints = std::move(points);
    report.expectedBy = fmt::format("{}", fmt::join(names, ", "));
  }

  /// Whether at each of the points listed one of the two leaves what was there.
  [[nodiscard]] bool oneLeavesAlone(const ResultDifference& difference, const std::vector<ArrayData>& expected,
                                    const std::vector<ArrayData>& found) const {
    const ArrayData& before = data_[difference.array];
    return std::ranges::all_of(difference.points, [&](std::int64_t at) {
      const double was = experiment::valueAt(before, at);
      return experiment::valueAt(expected[difference.array], at) == was ||
             experiment::valueAt(found[difference.array], at) == was;
    });
  }

  [[nodiscard]] Basis basisOf(const std::vector<std::size_t>& right) const {
    const auto isNamed = [&](std::size_t i) { return runners_[i].sibling->isReference; };
    return std::ranges::any_of(right, isNamed) ? Basis::Reference : Basis::Siblings;
  }

  [[nodiscard]] std::vector<experiment::WrongPoint> firstPoints(std::size_t odd, const ResultDifference& difference,
                                                                const std::vector<ArrayData>& expected,
                                                                const std::vector<ArrayData>& found) const {
    const Runner& runner = runners_[odd];
    std::vector<experiment::WrongPoint> points;
    for (const std::int64_t at : difference.points) {
      if (points.size() == experiment::kWrongPointsListed) { break; }
      points.push_back({runner.program().objects[runner.arrays[difference.array]].name, at,
                        experiment::valueAt(expected[difference.array], at),
                        experiment::valueAt(found[difference.array], at)});
    }
    return points;
  }

  /// Of the points that either kernel writes another value to, those at which they differ; more of them where many
  /// would be equal by chance, as where half of all values are 255.
  [[nodiscard]] double shareOf(const ResultDifference& difference, const std::vector<ArrayData>& expected,
                               const std::vector<ArrayData>& found) const {
    std::int64_t changed = 0;
    std::map<std::string_view, std::pair<double, double>> values;  // how often each kernel writes one
    for (std::size_t i = 0; i < data_.size(); ++i) {
      if (!runners_.front().written[i]) { continue; }
      const auto size = static_cast<std::size_t>(sizeInMemory(data_[i].element));
      for (std::size_t at = 0; at + size <= data_[i].bytes.size(); at += size) {
        const auto differs = [&](const ArrayData& after) {
          return std::memcmp(&after.bytes[at], &data_[i].bytes[at], size) != 0;
        };
        if (!differs(expected[i]) && !differs(found[i])) { continue; }
        ++changed;
        const auto valueIn = [&](const ArrayData& after) {
          return std::string_view(reinterpret_cast<const char*>(&after.bytes[at]), size);
        };
        ++values[valueIn(expected[i])].first;
        ++values[valueIn(found[i])].second;
      }
    }
    const auto all = static_cast<double>(std::max<std::int64_t>(1, changed));
    double byChance = 0;
    for (const auto& [value, counts] : values) { byChance += counts.first / all * counts.second / all; }
    return static_cast<double>(difference.count) / all / std::max(1 - byChance, 1 / all);
  }

  [[nodiscard]] faults::Finding findingOf(std::size_t odd, const ResultDifference& difference,
                                          const std::vector<std::string>& others, const Explanation& why) const {
    const Runner& runner = runners_[odd];
    const ObjectId object = runner.arrays[difference.array];
    const std::int64_t first = difference.points.front();
    faults::Finding finding;
    finding.kind = faults::FindingKind::WrongResult;
    finding.where = provenance::storeTo(runner.program(), runner.launch, object, first, stop_)
                        .value_or(runner.program().kernelRange);
    finding.object = object;
    finding.index = first;
    finding.occurrences = static_cast<std::uint64_t>(difference.count);
    finding.explained = !why.text.empty();
    finding.shownBy = {{Basis::Siblings, Outcome::Differs, others}};
    finding.message =
        trf("the result differs from that of {} on the same data at {}: {} is {:.6g}, where the other{} "
            "{:.6g}",
            fmt::join(others, ", "),
            trn("{} point", "{} points", static_cast<std::uint64_t>(difference.count), difference.count),
            analysis::elementName(runner.program(), object, first), difference.found,
            others.size() == 1 ? tr(" computes") : tr("s compute"), difference.expected);
    if (!why.text.empty()) { finding.message += "; " + why.text; }
    return finding;
  }

  [[nodiscard]] Explanation explanation(std::size_t right, std::size_t odd, const ResultDifference& difference,
                                        experiment::TapNames names) const {
    const Runner& own = runners_[odd];
    const TakenCoefficients coefficients(data_, scalars_, stop_);
    if (std::string text = coefficients.exchanged(runners_[right], own, names); !text.empty()) {
      return {.text = std::move(text), .few = true};
    }
    names.sizes = sizesOf(own);
    for (const TakenCoefficient& one : coefficients.of(own)) {
      names.coefficients.push_back({coefficients.nameOf(own, one), coefficients.valueOf(own, one)});
    }
    const auto isInput = [&](std::size_t i) {
      return !own.written[i] && data_[i].elementCount() > kMaxCoefficients && !data_[i].bytes.empty();
    };
    std::vector<ArrayData> data = data_;
    for (std::size_t i = 0; i < data.size(); ++i) {
      if (isInput(i)) { data[i] = experiment::zeros(data[i]); }
    }
    const auto result = [&](const Runner& runner) -> std::optional<ArrayData> {
      auto all = executed(runner, data, scalars_, stop_);
      return all ? std::optional(std::move((*all)[difference.array])) : std::nullopt;
    };
    const auto mine = result(own);
    const auto theirs = result(runners_[right]);
    if (!mine || !theirs) { return {}; }
    Explanation unnamed{.text = {}, .few = true};
    bool any = false;
    for (std::size_t i = 0; i < data.size(); ++i) {
      if (!isInput(i)) { continue; }
      const ArrayData zero = data[i];
      // Near a border two filters may take the same: what tells them apart is asked inside.
      const std::int64_t inside = experiment::insideOf(zero.elementCount());
      data[i] = experiment::impulse(zero, inside);
      if (const auto one = result(own), other = result(runners_[right]); one && other) {
        const auto taps = experiment::tapDifference({*mine, *one}, {*theirs, *other}, inside, names);
        unnamed.isOther = unnamed.isOther || (taps && taps->isOther);
      }
      names.array = own.program().objects[own.arrays[i]].name;
      for (const std::int64_t at : experiment::impulsesFor(difference.points, difference.count, zero.elementCount())) {
        data[i] = experiment::impulse(zero, at);
        const auto one = result(own);
        const auto other = result(runners_[right]);
        if (!one || !other) { return {}; }
        auto taps = experiment::tapDifference({*mine, *one}, {*theirs, *other}, at, names);
        if (!taps) { continue; }
        data[i] = experiment::impulse(zero, at, 3);
        const auto threefold = result(own);
        if (!threefold || !experiment::isLinear({*mine, *one}, *threefold)) {
          return {.text = {}, .isOther = unnamed.isOther};
        }
        any = true;
        unnamed = {std::move(taps->text), unnamed.few && taps->few, unnamed.isOther, taps->twice};
        if (!unnamed.text.empty()) { return unnamed; }
      }
      data[i] = zero;
    }
    unnamed.few = unnamed.few && any;
    return unnamed;
  }

  /// What may be the length of a row or a column.
  [[nodiscard]] std::vector<std::int64_t> sizesOf(const Runner& runner) const {
    std::vector<std::int64_t> sizes;
    for (const auto& [name, value] : runner.sibling->bindings) { sizes.push_back(value); }
    for (const ObjectId object : runner.arrays) {
      const std::vector<std::int64_t>& extents = runner.launch.arrays[object].extents;
      if (extents.size() > 1) { sizes.insert(sizes.end(), extents.begin() + 1, extents.end()); }
    }
    return sizes;
  }

  std::vector<Runner> runners_;
  const std::stop_token& stop_;
  std::vector<ArrayData> data_;
  std::vector<std::uint64_t> scalars_;
};

/// Kernels that read nothing are alike in nothing but their parameters.
bool readsAny(const Runner& runner) {
  const std::vector<bool> read = readObjects(runner.program());
  return std::ranges::any_of(runner.arrays, [&](ObjectId object) { return read[object]; });
}

using Families = std::map<std::string, std::vector<Runner>>;

void tellWhereNoReferenceApplies(std::span<Sibling> kernels, const Families& families) {
  const auto reference = std::ranges::find(kernels, true, &Sibling::isReference);
  if (reference == kernels.end()) { return; }
  const auto isReference = [](const Runner& one) { return one.sibling->isReference; };
  for (Sibling& kernel : kernels) {
    if (kernel.isReference) { continue; }
    const auto holdsKernel = [&](const auto& family) {
      return std::ranges::any_of(family.second, [&](const Runner& one) { return one.sibling == &kernel; });
    };
    const auto own = std::ranges::find_if(families, holdsKernel);
    if (own != families.end() && std::ranges::any_of(own->second, isReference)) { continue; }
    const std::string name = nameBeside(*reference, kernel);
    const std::string theirs = parametersOf(*reference->report->program);
    const std::string its = kernel.report->program ? parametersOf(*kernel.report->program) : "";
    kernel.notCompared = theirs == its ? trf("it cannot be launched with the arrays of {}", kernel.report->kernel)
                                       : trf("it takes ({}), and {} takes ({})", theirs, kernel.report->kernel, its);
    kernel.notCompared =
        trf("{} is not compared with the reference {}: {}", kernel.report->kernel, name, kernel.notCompared);
  }
}

}  // namespace

void compareSiblings(std::span<Sibling> kernels, const std::stop_token& stop) {
  Families families;
  for (const bool anySize : {false, true}) {
    for (const Sibling& sibling : kernels) {
      if (sibling.anySize != anySize) { continue; }
      const std::optional<Runner> runner = runnerOf(sibling, sibling.bindings);
      if (!runner || !readsAny(*runner)) { continue; }
      bool joined = false;
      for (auto& [shape, family] : families) {
        if (!anySize || family.front().sibling->anySize) { continue; }
        std::optional<Runner> other = atSizesOf(family.front(), sibling);
        if (!other || shapeOf(*other) != shape) { continue; }
        family.push_back(std::move(*other));
        joined = true;
      }
      if (!joined) { families[shapeOf(*runner)].push_back(*runner); }
    }
  }
  tellWhereNoReferenceApplies(kernels, families);
  for (auto& [shape, family] : families) {
    if (family.size() > 1) { FamilyComparison(std::move(family), stop).compare(); }
  }
}

}  // namespace haloscope::checking
