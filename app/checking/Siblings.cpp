#include "checking/Siblings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include "analysis/CoefficientArguments.h"
#include "analysis/ElementName.h"
#include "experiment/InputData.h"
#include "program/Precision.h"
#include "simt/Executor.h"

namespace haloscope::checking {

namespace {

/// Relative to the largest magnitude of the result: what a different order of summation explains.
double toleranceOf(ValueType type) { return type == ValueType::F16 ? 1e-2 : type == ValueType::F64 ? 1e-10 : 1e-5; }
/// A kernel that differs at a larger share of the points than this may be meant to compute something else.
constexpr double kMostDiffering = 0.5;
/// Of one execution, in warp instructions.
constexpr std::uint64_t kBudget = 100'000'000;
/// An array with at most this many elements, and named or used like one, holds coefficients.
constexpr std::int64_t kMaxCoefficients = 64;

/// A kernel whose arrays are known by the position of their parameters.
struct Runner {
  const Sibling* sibling = nullptr;
  Launch launch;                     ///< with random data
  std::vector<ObjectId> arrays;      ///< of the pointer parameters, then of variables in constant memory, by name
  std::vector<bool> written;         ///< of these arrays
  std::vector<std::size_t> scalars;  ///< indices of scalar parameters

  [[nodiscard]] const Program& program() const { return *sibling->report->program; }
};

std::optional<Runner> runnerOf(const Sibling& sibling, const Bindings& bindings) {
  if (sibling.report->program == nullptr || !sibling.report->notChecked.empty()) { return std::nullopt; }
  Runner runner;
  runner.sibling = &sibling;
  const Program& program = runner.program();
  try {
    runner.launch = experiment::makeLaunch(*sibling.file, bindings, program, experiment::InputKind::Random);
  } catch (const InputError&) { return std::nullopt; } catch (const SourceError&) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    const Parameter& parameter = program.parameters[i];
    if (parameter.object == kNone) {
      runner.scalars.push_back(i);
    } else {
      runner.arrays.push_back(parameter.object);
    }
  }
  for (ObjectId object = 0; object < program.objects.size(); ++object) {
    const bool variable =
        program.objects[object].space == MemorySpace::Constant && program.objects[object].argument == kNone;
    if (variable) { runner.arrays.push_back(object); }
  }
  const std::vector<bool> written = writtenObjects(program);
  for (const ObjectId object : runner.arrays) { runner.written.push_back(written[object]); }
  // Without a result there is nothing to agree on.
  if (std::ranges::find(runner.written, true) == runner.written.end()) { return std::nullopt; }
  return runner;
}

std::string typeText(ValueType type) {
  if (isFloating(type)) { return realTypeName(type); }
  const int bytes = sizeInMemory(type);
  const char* const whole = bytes == 1 ? "char" : bytes == 2 ? "short" : bytes == 4 ? "int" : "long long";
  return std::string(isSigned(type) ? "" : "unsigned ") + whole;
}

/// "float*, float*, int nx, int ny": scalars by their names, too, as (nx, ny) is not (ny, nx).
std::string parametersOf(const Program& program) {
  std::vector<std::string> all;
  for (const Parameter& parameter : program.parameters) {
    const bool array = parameter.object != kNone;
    all.push_back(array ? typeText(program.objects[parameter.object].element) + "*"
                        : fmt::format("{} {}", typeText(parameter.type), parameter.name));
  }
  return fmt::format("{}", fmt::join(all, ", "));
}

/// What two kernels must have in common to be compared: types and roles of the parameters, and the sizes of the arrays.
std::string shapeOf(const Runner& runner) {
  std::string shape = parametersOf(runner.program());
  for (std::size_t i = 0; i < runner.arrays.size(); ++i) {
    const ArrayData& array = runner.launch.arrays[runner.arrays[i]];
    shape += fmt::format(" {}{}{}", name(array.element), runner.written[i] ? '>' : '<', array.elementCount());
  }
  return shape;
}

/// A kernel at the sizes of another one; none if it cannot be launched at these.
std::optional<Runner> atSizesOf(const Runner& other, const Sibling& sibling) {
  Bindings bindings = sibling.bindings;
  for (const SizeParameter& size : sibling.file->sizes) {
    if (const auto known = other.sibling->bindings.find(size.name); known != other.sibling->bindings.end()) {
      bindings[size.name] = known->second;
    }
    for (const std::size_t scalar : other.scalars) {
      const Parameter& parameter = other.program().parameters[scalar];
      if (parameter.name != size.name || isFloating(parameter.type)) { continue; }
      ArrayData bits{.element = parameter.type, .extents = {1}, .bytes = std::vector<std::byte>(8)};
      std::memcpy(bits.bytes.data(), &other.launch.arguments[scalar], bits.bytes.size());
      bindings[size.name] = static_cast<std::int64_t>(experiment::valueAt(bits, 0));
    }
  }
  return runnerOf(sibling, bindings);
}

/// The kernel as a message calls it in that of another: with its file, if it is not the same.
std::string nameBeside(const Sibling& other, const Sibling& own) {
  const std::string file = other.file->path.filename().string();
  return file == own.file->path.filename().string() ? other.report->kernel : file + ":" + other.report->kernel;
}

/// The arrays after a launch on given data; none if it does not end or leaves its arrays.
std::optional<std::vector<ArrayData>> executed(const Runner& runner, const std::vector<ArrayData>& data,
                                               const std::vector<std::uint64_t>& scalars, const std::stop_token& stop) {
  Launch launch = runner.launch;
  for (std::size_t i = 0; i < runner.arrays.size(); ++i) { launch.arrays[runner.arrays[i]].bytes = data[i].bytes; }
  for (std::size_t i = 0; i < runner.scalars.size(); ++i) { launch.arguments[runner.scalars[i]] = scalars[i]; }
  simt::ExecuteOptions options;
  options.launchBudget = kBudget;
  options.stop = stop;
  const simt::ExecuteResult result = simt::execute(runner.program(), launch, {}, options);
  if (result.outcome == simt::Outcome::Stopped) { throw experiment::Cancelled{}; }
  if (result.outcome != simt::Outcome::Finished || result.outOfBounds > 0) { return std::nullopt; }
  std::vector<ArrayData> after;
  for (const ObjectId object : runner.arrays) { after.push_back(launch.arrays[object]); }
  return after;
}

struct ResultDifference {
  std::size_t array = 0;
  std::int64_t first = -1, count = 0;
  double expected = 0, found = 0;
};

/// Where the written arrays of two results differ; count 0: nowhere.
ResultDifference differenceOf(const Runner& runner, const std::vector<ArrayData>& expected,
                              const std::vector<ArrayData>& found) {
  ResultDifference difference;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!runner.written[i] || expected[i].bytes == found[i].bytes) { continue; }
    const std::int64_t count = expected[i].elementCount();
    double largest = 0;
    for (std::int64_t at = 0; at < count; ++at) {
      const double value = std::abs(experiment::valueAt(expected[i], at));
      if (std::isfinite(value)) { largest = std::max(largest, value); }
    }
    for (std::int64_t at = 0; at < count; ++at) {
      const double a = experiment::valueAt(expected[i], at);
      const double b = experiment::valueAt(found[i], at);
      if (std::abs(a - b) <= toleranceOf(expected[i].element) * largest || (std::isnan(a) && std::isnan(b))) {
        continue;
      }
      if (difference.count++ == 0) { difference = {.array = i, .first = at, .count = 1, .expected = a, .found = b}; }
    }
  }
  return difference;
}

/// A number that both kernels take: an element of a small array that they only read, or a floating-point parameter.
struct TakenCoefficient {
  std::optional<std::size_t> array;  ///< position among the arrays; none: a scalar
  std::size_t index = 0;             ///< of the element, or among the scalars
};

/// Whether the kernel matches a reference that does not come from the kernel itself.
bool matchesItsOwnReference(const Sibling& sibling) {
  return sibling.report->matchesReference.value_or(false) &&
         !(sibling.file->computes && sibling.file->computes->observed);
}

class FamilyComparison {
 public:
  FamilyComparison(std::vector<Runner> runners, const std::stop_token& stop)
      : runners_(std::move(runners)), stop_(stop) {
    const Runner& first = runners_.front();
    for (const ObjectId object : first.arrays) { data_.push_back(first.launch.arrays[object]); }
    for (const std::size_t scalar : first.scalars) { scalars_.push_back(first.launch.arguments[scalar]); }
    makeCoefficientsDiffer();
  }

  void compare() {
    std::vector<std::optional<std::vector<ArrayData>>> results;
    for (const Runner& runner : runners_) { results.push_back(executed(runner, data_, scalars_, stop_)); }
    const std::vector<std::size_t> right = majority(results);
    if (right.empty()) { return noteDisagreement(results); }
    for (std::size_t i = 0; i < runners_.size(); ++i) {
      if (!results[i]) { continue; }
      CheckReport& report = *runners_[i].sibling->report;
      if (std::ranges::find(right, i) != right.end()) {
        report.agreesWith = namesWithout(right, i);
        continue;
      }
      if (matchesItsOwnReference(*runners_[i].sibling)) { continue; }
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
    std::ranges::stable_sort(groups, std::greater{}, [](const auto& group) { return group.size(); });
    const bool clear = !groups.empty() && groups.front().size() > 1 &&
                       (groups.size() == 1 || groups[1].size() < groups.front().size());
    return clear ? groups.front() : std::vector<std::size_t>{};
  }

  [[nodiscard]] std::vector<std::string> namesWithout(const std::vector<std::size_t>& group,
                                                      std::size_t without) const {
    std::vector<std::string> names;
    for (const std::size_t i : group) {
      if (i != without) { names.push_back(nameBeside(*runners_[i].sibling, *runners_[without].sibling)); }
    }
    return names;
  }

  /// Where no group is larger than the others, each kernel gets a note.
  void noteDisagreement(const Results& results) const {
    for (std::size_t i = 0; i < results.size(); ++i) {
      std::vector<std::string> others;
      for (std::size_t j = 0; j < results.size(); ++j) {
        const bool differs = i != j && results[i] && results[j] && related(i, j) &&
                             differenceOf(runners_[i], *results[i], *results[j]).count > 0;
        if (differs) { others.push_back(nameBeside(*runners_[j].sibling, *runners_[i].sibling)); }
      }
      if (others.empty()) { continue; }
      CheckReport& report = *runners_[i].sibling->report;
      report.notes.push_back(
          fmt::format("Its result differs from that of {} on the same data; which one is right is not known.",
                      fmt::join(others, ", ")));
      report.disagreesWith = std::move(others);
    }
  }

  /// Whether two kernels are meant to compute the same, as far as their names tell: they are the same, or begin with
  /// the same word.
  [[nodiscard]] bool related(std::size_t a, std::size_t b) const {
    const std::string& one = runners_[a].sibling->report->kernel;
    const std::string& other = runners_[b].sibling->report->kernel;
    constexpr std::size_t kWord = 4;
    if (one == other) { return true; }
    return one.size() >= kWord && other.size() >= kWord && one.substr(0, kWord) == other.substr(0, kWord);
  }

  void report(std::size_t odd, const std::vector<std::size_t>& right, const std::vector<ArrayData>& expected,
              const std::vector<ArrayData>& found) {
    const Runner& runner = runners_[odd];
    const ResultDifference difference = differenceOf(runner, expected, found);
    if (difference.count == 0) { return; }
    CheckReport& report = *runner.sibling->report;
    const std::string exchanged = exchangedCoefficients(runners_[right.front()], runner);
    // Kernels with the same parameters may have different purposes.
    const double share =
        static_cast<double>(difference.count) / static_cast<double>(expected[difference.array].elementCount());
    const bool judged = report.matchesReference.has_value();
    const bool meant = std::ranges::any_of(right, [&](std::size_t i) {
      const Sibling& other = *runners_[i].sibling;
      return other.isReference || (!judged && other.report->kernel == report.kernel);
    });
    if (!meant && exchanged.empty() && share > kMostDiffering) {
      report.notes.push_back(fmt::format("It takes the same arguments as {}, and its result differs nearly everywhere.",
                                         fmt::join(namesWithout(right, odd), ", ")));
      return;
    }
    const ObjectId object = runner.arrays[difference.array];
    faults::Finding finding;
    finding.kind = faults::FindingKind::WrongResult;
    finding.where = runner.program().kernelRange;
    finding.where.endLine = finding.where.line;
    finding.object = object;
    finding.index = difference.first;
    finding.occurrences = static_cast<std::uint64_t>(difference.count);
    const std::string element = analysis::elementName(runner.program(), object, difference.first);
    finding.message = fmt::format(
        "the result differs from that of {} on the same data at {} point{}: {} is {:.6g}, where the other{} {:.6g}",
        fmt::join(namesWithout(right, odd), ", "), difference.count, difference.count == 1 ? "" : "s", element,
        difference.found, right.size() == 1 ? " computes" : "s compute", difference.expected);
    if (!exchanged.empty()) { finding.message += "; " + exchanged; }
    report.findings.push_back(std::move(finding));
    report.matchesReference = false;
  }

  /// Equal ones in the program would hide that two were exchanged.
  void makeCoefficientsDiffer() {
    const Program& program = runners_.front().program();
    double factor = 1;
    double whole = 1;
    for (const std::size_t argument : analysis::coefficientArguments(program)) {
      const auto at = static_cast<std::size_t>(std::ranges::find(runners_.front().scalars, argument) -
                                               runners_.front().scalars.begin());
      ArrayData bits{.element = program.parameters[argument].type, .extents = {1}, .bytes = std::vector<std::byte>(8)};
      std::memcpy(bits.bytes.data(), &scalars_[at], sizeof scalars_[at]);
      factor *= 0.93;
      experiment::setValue(bits, 0, isFloating(bits.element) ? factor * experiment::valueAt(bits, 0) : ++whole);
      std::memcpy(&scalars_[at], bits.bytes.data(), sizeof scalars_[at]);
    }
  }

  [[nodiscard]] std::vector<TakenCoefficient> coefficients(const Runner& runner) const {
    std::vector<TakenCoefficient> all;
    for (std::size_t i = 0; i < runner.arrays.size(); ++i) {
      const std::int64_t count = data_[i].elementCount();
      if (runner.written[i] || count > kMaxCoefficients || !isFloating(data_[i].element)) { continue; }
      for (std::int64_t at = 0; at < count; ++at) { all.push_back({i, static_cast<std::size_t>(at)}); }
    }
    const std::vector<std::size_t> arguments = analysis::coefficientArguments(runner.program());
    for (std::size_t i = 0; i < runner.scalars.size(); ++i) {
      if (std::ranges::find(arguments, runner.scalars[i]) != arguments.end()) { all.push_back({std::nullopt, i}); }
    }
    return all.size() <= kMaxCoefficients ? all : std::vector<TakenCoefficient>{};
  }

  [[nodiscard]] std::string nameOf(const Runner& runner, const TakenCoefficient& coefficient) const {
    if (!coefficient.array) { return runner.program().parameters[runner.scalars[coefficient.index]].name; }
    const ObjectId object = runner.arrays[*coefficient.array];
    return analysis::elementName(runner.program(), object, static_cast<std::int64_t>(coefficient.index));
  }

  /// The result with one coefficient 1 and all others 0.
  std::optional<std::vector<ArrayData>> alone(const Runner& runner, const std::vector<TakenCoefficient>& all,
                                              std::size_t one) const {
    std::vector<ArrayData> data = data_;
    std::vector<std::uint64_t> scalars = scalars_;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const double value = k == one ? 1 : 0;
      if (all[k].array) {
        experiment::setValue(data[*all[k].array], static_cast<std::int64_t>(all[k].index), value);
      } else {
        const ValueType type = runner.program().parameters[runner.scalars[all[k].index]].type;
        ArrayData bits{.element = type, .extents = {1}, .bytes = std::vector<std::byte>(8)};
        experiment::setValue(bits, 0, value);
        std::memcpy(&scalars[all[k].index], bits.bytes.data(), 8);
      }
    }
    return executed(runner, data, scalars, stop_);
  }

  /// "it takes c4 where the others take c3, and c3 where they take c4"; empty if the difference is another one.
  [[nodiscard]] std::string exchangedCoefficients(const Runner& right, const Runner& odd) const {
    const std::vector<TakenCoefficient> all = coefficients(odd);
    if (all.size() < 2) { return {}; }
    std::vector<std::vector<ArrayData>> expected;
    std::vector<std::vector<ArrayData>> found;
    for (std::size_t k = 0; k < all.size(); ++k) {
      auto theirs = alone(right, all, k);
      auto own = alone(odd, all, k);
      if (!theirs || !own) { return {}; }
      expected.push_back(std::move(*theirs));
      found.push_back(std::move(*own));
    }
    std::string text;
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (differenceOf(odd, expected[k], found[k]).count == 0) { continue; }
      std::size_t as = all.size();
      for (std::size_t j = 0; j < all.size(); ++j) {
        if (differenceOf(odd, expected[j], found[k]).count == 0) { as = j; }
      }
      if (as == all.size()) { return {}; }
      text += fmt::format("{}{} where the others take {}", text.empty() ? "it takes " : ", and ", nameOf(odd, all[k]),
                          nameOf(right, all[as]));
    }
    return text;
  }

  std::vector<Runner> runners_;
  const std::stop_token& stop_;
  std::vector<ArrayData> data_;
  std::vector<std::uint64_t> scalars_;
};

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
    kernel.notCompared = theirs == its
                             ? fmt::format("it cannot be launched with the arrays of {}", kernel.report->kernel)
                             : fmt::format("it takes ({}), and {} takes ({})", theirs, kernel.report->kernel, its);
    kernel.notCompared =
        fmt::format("{} is not compared with the reference {}: {}", kernel.report->kernel, name, kernel.notCompared);
  }
}

}  // namespace

void compareSiblings(std::span<Sibling> kernels, const std::stop_token& stop) {
  Families families;
  for (const bool anySize : {false, true}) {
    for (const Sibling& sibling : kernels) {
      if (sibling.anySize != anySize) { continue; }
      const std::optional<Runner> runner = runnerOf(sibling, sibling.bindings);
      if (!runner) { continue; }
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
