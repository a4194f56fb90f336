#include "judging/AgainstReference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "checking/ReferencePairing.h"
#include "checking/ResizedLaunches.h"
#include "checking/SizeComparison.h"
#include "language/Text.h"
#include "program/SameCode.h"

namespace haloscope::judging {

namespace {

using checking::Pairing;
using checking::SiblingRunner;
using checking::SizeComparison;

/// Values of the reference's integers, in the order of its scalars; of another type: 0.
using Integers = std::vector<std::int64_t>;

/// Executing each pairing costs time.
constexpr std::size_t kMostWays = 64, kMostAgreeing = 6;
constexpr std::int64_t kMostElements = std::int64_t{1} << 22;
constexpr std::int64_t kSmallestSize = 4, kSizeByValue = 8;

/// What stands for what, with the reference's integers that the kernel's own sizes mean.
struct Way {
  Pairing pairing;
  Integers own;
};

/// A size that only the texts have, under one name or none.
struct TextSize {
  std::string name;
  std::int64_t own = 0, theirs = 0;
};

/// What is to be executed: the `index`-th size is changed to what this makes of its own value and the reference's.
using NewSize = std::int64_t (*)(std::int64_t own, std::int64_t theirs, int index);

// Odd numbers: neither is a multiple of a tile's edge.
std::int64_t largerSize(std::int64_t own, std::int64_t, int) { return 2 * own + 3; }
std::int64_t halfSize(std::int64_t own, std::int64_t, int) { return own / 4 * 2 + 3; }
std::int64_t smallerSize(std::int64_t own, std::int64_t, int) { return own - (own % 2 == 0 ? 3 : 2); }
std::int64_t ownSize(std::int64_t own, std::int64_t, int) { return own; }
std::int64_t referenceSize(std::int64_t, std::int64_t theirs, int) { return theirs; }
/// Width and height that are exchanged show where they are not equal.
std::int64_t unequalSize(std::int64_t own, std::int64_t, int index) { return own + 5 + 4 * index; }

std::optional<std::int64_t> rootOf(std::int64_t value, int degree) {
  const auto root = static_cast<std::int64_t>(std::llround(std::pow(static_cast<double>(value), 1.0 / degree)));
  std::int64_t power = 1;
  for (int i = 0; i < degree; ++i) { power *= root; }
  return power == value ? std::optional(root) : std::nullopt;
}

std::int64_t writtenElements(const SiblingRunner& runner) {
  const auto first = std::ranges::find(runner.written, true) - runner.written.begin();
  return runner.launch.arrays[runner.arrays[static_cast<std::size_t>(first)]].elementCount();
}

const Parameter& scalarOf(const SiblingRunner& runner, std::size_t scalar) {
  return runner.program().parameters[runner.scalars[scalar]];
}

/// The same code launched in the same way: of the same data it makes the same, even where that is a single point.
bool isTheSame(const SiblingRunner& kernel, const SiblingRunner& reference) {
  const LaunchConfiguration& own = kernel.launch.configuration;
  const LaunchConfiguration& theirs = reference.launch.configuration;
  return own.grid == theirs.grid && own.block == theirs.block && own.dynamicSharedBytes == theirs.dynamicSharedBytes &&
         sameCode(kernel.program(), reference.program()) &&
         std::ranges::equal(kernel.program().code, reference.program().code, {}, &Instruction::aux,
                            &Instruction::aux) &&
         std::ranges::equal(kernel.scalars, reference.scalars, [&](std::size_t one, std::size_t other) {
           return one == other && kernel.launch.arguments[one] == reference.launch.arguments[other];
         });
}

class Against {
 public:
  Against(const KernelAtSizes& kernel, const KernelAtSizes& reference, bool bothWrite, const std::stop_token& stop)
      : kernel_(kernel),
        reference_(reference),
        own_(*kernel.own()),
        theirs_(*reference.own()),
        bothWrite_(bothWrite),
        stop_(stop) {
    for (std::size_t i = 0; i < theirs_.scalars.size(); ++i) {
      integers_.push_back(isInteger(i) ? checking::integerArgument(theirs_, i) : 0);
    }
  }

  ReferenceVerdict verdict() {
    findSizes();
    findWays();
    if (ways_.empty()) { return {}; }
    findTextSizes();
    if (!compareOwn()) { return std::move(result_); }
    result_.comparable = true;
    const bool larger = writtenElements(own_) <= kMostElements / 8;
    // The reference's sizes as the program launches with them; others, too, where it has those.
    if (!compareAt(referenceSize, First::Launched)) { return std::move(result_); }
    const First first = launched_ ? First::Proposed : First::Launched;
    if (!compareAt(larger ? largerSize : halfSize, first)) { return std::move(result_); }
    if (countSizes() > 1 && !compareAt(unequalSize, First::Proposed)) { return std::move(result_); }
    if (!compareAt(smallerSize, First::Proposed)) { return std::move(result_); }
    conclude();
    return std::move(result_);
  }

 private:
  /// The program's own launch, or one that its text suggests.
  enum class First : std::uint8_t { Launched, Proposed };

  [[nodiscard]] bool isInteger(std::size_t scalar) const { return !isFloating(scalarOf(theirs_, scalar).type); }
  [[nodiscard]] const std::string& nameOf(std::size_t scalar) const { return scalarOf(theirs_, scalar).name; }
  [[nodiscard]] std::string theirName() const {
    const CheckedKernel& row = reference_.row();
    return fmt::format("{}:{}", std::filesystem::path(row.file).filename().string(), row.kernel);
  }

  void findWays() {
    for (const Pairing& pairing : checking::pairingsOf(own_, theirs_)) {
      Integers own = integers_;
      std::vector<std::size_t> open;
      for (std::size_t i = 0; i < own.size(); ++i) {
        if (!isInteger(i)) { continue; }
        if (pairing.scalars[i]) {
          own[i] = checking::integerArgument(own_, *pairing.scalars[i]);
        } else if (isSize(i)) {
          open.push_back(i);
        }
      }
      solve(pairing, own, open, 0);
    }
  }

  [[nodiscard]] std::map<std::size_t, std::int64_t> integersOf(const Integers& all) const {
    std::map<std::size_t, std::int64_t> integers;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (isInteger(i)) { integers[i] = all[i]; }
    }
    return integers;
  }

  /// Sizes that the kernel has in its text: whichever makes as many elements.
  void solve(const Pairing& pairing, Integers& own, const std::vector<std::size_t>& open, std::size_t at) {
    if (ways_.size() >= kMostWays) { return; }
    if (at == open.size()) {
      const bool fits = open.empty() || reference_.elements(integersOf(own)) == writtenElements(own_);
      if (fits) { ways_.push_back({pairing, own}); }
      return;
    }
    const std::int64_t before = own[open[at]];
    const std::int64_t elements = writtenElements(own_);
    std::vector<std::int64_t> candidates;
    const auto add = [&](std::int64_t one) {
      if (std::ranges::find(candidates, one) == candidates.end()) { candidates.push_back(one); }
    };
    add(before);
    for (const running::OfferedSize& one : kernel_.offered()) {
      if (one.value >= kSmallestSize && elements % one.value == 0) { add(one.value); }
    }
    for (const int degree : {1, 2, 3}) {
      if (const auto root = rootOf(elements, degree)) { add(*root); }
    }
    for (const std::int64_t candidate : candidates) {
      own[open[at]] = candidate;
      solve(pairing, own, open, at + 1);
    }
    own[open[at]] = before;
  }

  /// Whether an integer of the reference is one on which the extents of its arrays depend. Where its text does not tell
  /// them, what is called a size, or divides the number of elements, may be one.
  [[nodiscard]] bool isSize(std::size_t scalar) const { return sizes_[scalar]; }

  [[nodiscard]] std::size_t countSizes() const {
    return static_cast<std::size_t>(std::ranges::count(sizes_, true)) + text_.size();
  }

  void findSizes() {
    const auto counts = [&](std::size_t changed) {
      Integers all = integers_;
      if (changed < all.size()) { ++all[changed]; }
      return reference_.elements(integersOf(all));
    };
    const auto own = counts(integers_.size());
    for (std::size_t i = 0; i < integers_.size(); ++i) { sizes_.push_back(isInteger(i) && own && counts(i) != own); }
    if (std::ranges::find(sizes_, true) != sizes_.end()) { return; }
    for (std::size_t i = 0; i < integers_.size(); ++i) {
      const bool divides = integers_[i] >= kSizeByValue && writtenElements(theirs_) % integers_[i] == 0;
      sizes_[i] = isInteger(i) && (reference_.isSize(nameOf(i)) || divides);
    }
  }

  /// Where no argument of the reference is a size, both texts have it: under the same name, or as the edge of a square
  /// or cube.
  void findTextSizes() {
    for (std::size_t i = 0; i < integers_.size(); ++i) {
      if (isSize(i)) { return; }
    }
    const std::int64_t own = writtenElements(own_), theirs = writtenElements(theirs_);
    for (const running::OfferedSize& one : kernel_.offered()) {
      const auto other = std::ranges::find(reference_.offered(), one.name, &running::OfferedSize::name);
      if (one.name.empty() || other == reference_.offered().end()) { continue; }
      if (one.value >= kSmallestSize && own % one.value == 0 && theirs % other->value == 0) {
        text_.push_back({one.name, one.value, other->value});
      }
    }
    for (const int degree : {2, 3, 1}) {
      const auto a = rootOf(own, degree), b = rootOf(theirs, degree);
      if (text_.empty() && a && b && *a >= kSmallestSize) { text_.push_back({{}, *a, *b}); }
    }
  }

  /// The reference's integers, and the sizes in its text, once they are changed.
  struct Goal {
    Integers integers;
    std::vector<WantedSize> own, theirs;
  };

  [[nodiscard]] Goal goalOf(const Way& way, NewSize newSize) const {
    Goal goal{.integers = way.own, .own = {}, .theirs = {}};
    int index = 0;
    const auto add = [](std::vector<WantedSize>& to, const std::string& name, std::int64_t from, std::int64_t value) {
      if (from != value) { to.push_back({name, from, value}); }
    };
    for (std::size_t i = 0; i < way.own.size(); ++i) {
      const bool changes = newSize == referenceSize ? isInteger(i) : isSize(i) && way.own[i] >= kSmallestSize;
      if (changes) { goal.integers[i] = newSize(way.own[i], integers_[i], index++); }
      const std::optional<std::size_t>& from = way.pairing.scalars[i];
      add(goal.own, from ? scalarOf(own_, *from).name : nameOf(i), way.own[i], goal.integers[i]);
      add(goal.theirs, nameOf(i), integers_[i], goal.integers[i]);
    }
    for (const TextSize& one : text_) {
      const std::int64_t value = newSize(one.own, one.theirs, index++);
      add(goal.own, one.name, one.own, value);
      add(goal.theirs, one.name, one.theirs, value);
    }
    return goal;
  }

  /// A kernel of squares or cubes has one size, where the reference has several, and takes no others.
  [[nodiscard]] bool isPossible(const Way& way, const Goal& goal) const {
    const auto given = [&](std::size_t i) { return way.pairing.scalars[i].has_value(); };
    const auto named = [&](std::size_t i) {
      return !given(i) && std::ranges::any_of(kernel_.offered(), [&](const running::OfferedSize& one) {
        return one.name == nameOf(i) && one.value == way.own[i];
      });
    };
    for (std::size_t i = 0; i < way.own.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const bool parts = way.own[i] == way.own[j] && goal.integers[i] != goal.integers[j];
        if (isSize(i) && isSize(j) && parts && !(given(i) && given(j)) && !(named(i) && named(j))) { return false; }
      }
    }
    return true;
  }

  /// The reference at these sizes, in the way of launching it that agrees best.
  SizeComparison best(const SiblingRunner& own, const Way& way, const Goal& goal) {
    SizeComparison best;
    const auto rank = [](const SizeComparison& one) {
      return one.agrees()                                                                         ? 0
             : one.end == SizeComparison::End::Compared || one.end == SizeComparison::End::Failed ? 1
                                                                                                  : 2;
    };
    const auto take = [&](const SiblingRunner& reference) {
      SizeComparison one = checking::compareAtSizes(own, reference, way.pairing, bothWrite_, stop_);
      const bool better = rank(one) < rank(best) || (rank(one) == rank(best) && one.differing < best.differing);
      if (better) { best = std::move(one); }
    };
    if (goal.theirs.empty()) { take(theirs_); }
    if (rank(best) != 0 && !goal.theirs.empty() && text_.empty()) {
      for (const SiblingRunner& one : reference_.proposed(integersOf(goal.integers))) {
        if (rank(best) != 0) { take(one); }
      }
    }
    if (rank(best) == 2 && !goal.theirs.empty()) {
      if (const auto launched = launchedReference(goal)) { take(*launched); }
    }
    return best;
  }

  const std::optional<SiblingRunner>& launchedReference(const Goal& goal) {
    const auto [place, isNew] = references_.try_emplace(keyOf(goal.theirs));
    if (isNew) {
      place->second = reference_.launched(
          goal.theirs, [&](const SiblingRunner& one) { return hasIntegers(one, goal.integers); }, stop_);
    }
    return place->second;
  }
  [[nodiscard]] bool hasIntegers(const SiblingRunner& reference, const Integers& integers) const {
    for (std::size_t i = 0; i < integers.size(); ++i) {
      if (isInteger(i) && checking::integerArgument(reference, i) != integers[i]) { return false; }
    }
    return true;
  }

  /// As its program launches it with these sizes; null: it does not.
  const std::optional<SiblingRunner>& launchedKernel(const Way& way, const Goal& goal) {
    const auto [place, isNew] = kernels_.try_emplace(keyOf(goal.own));
    if (isNew) {
      const auto isWanted = [&](const SiblingRunner& one) {
        for (std::size_t i = 0; i < goal.integers.size(); ++i) {
          const std::optional<std::size_t>& from = way.pairing.scalars[i];
          const bool fits = !isInteger(i) || !from || checking::integerArgument(one, *from) == goal.integers[i];
          if (!fits) { return false; }
        }
        return one.scalars.size() == own_.scalars.size() && one.arrays.size() == own_.arrays.size();
      };
      place->second = kernel_.launched(goal.own, isWanted, stop_);
    }
    return place->second;
  }
  static std::string keyOf(const std::vector<WantedSize>& sizes) {
    std::string key;
    for (const WantedSize& one : sizes) { key += fmt::format("{}:{}>{} ", one.name, one.from, one.to); }
    return key;
  }

  [[nodiscard]] std::vector<SiblingRunner> proposedKernels(const Way& way, const Goal& goal) const {
    std::map<std::size_t, std::int64_t> integers;
    for (std::size_t i = 0; i < goal.integers.size(); ++i) {
      const std::optional<std::size_t>& to = way.pairing.scalars[i];
      // What is in the text cannot be given.
      if (!to && goal.integers[i] != way.own[i]) { return {}; }
      if (to && isInteger(i)) { integers[*to] = goal.integers[i]; }
    }
    return text_.empty() ? kernel_.proposed(integers) : std::vector<SiblingRunner>{};
  }

  /// Keeps the ways in which both compute the same with the kernel's own sizes, or those of which nothing is known.
  /// False: there is nothing more to be compared.
  bool compareOwn() {
    std::vector<Way> agreeing, open;
    std::optional<SizeComparison> unlike;
    std::int64_t points = 0;
    for (const Way& way : ways_) {
      if (agreeing.size() == kMostAgreeing) { break; }
      // Those that mean the same sizes can only be told apart at others.
      if (!agreeing.empty() && way.own != agreeing.front().own) { continue; }
      SizeComparison one = best(own_, way, goalOf(way, ownSize));
      if (one.agrees()) {
        agreeing.push_back(way);
        points = std::max(points, one.points);
      } else if (one.end == SizeComparison::End::Unlike ||
                 (one.end == SizeComparison::End::Compared && one.differing == 0)) {
        open.push_back(way);
      } else if (!unlike || one.differing < unlike->differing) {
        unlike = std::move(one);
      }
    }
    if (!agreeing.empty()) {
      ways_ = std::move(agreeing);
      result_.at.push_back({sizesOf(own_), points});
      return true;
    }
    const std::string sizes = sizesOf(own_);
    ways_ = std::move(open);
    if (!ways_.empty()) { return true; }
    const bool differs = unlike && unlike->end == SizeComparison::End::Compared;
    result_.why = differs ? trf("its result differs from that of {}: with {}, {}", theirName(), sizes, unlike->first)
                          : trf("it could not be executed with the same data as {}", theirName());
    return false;
  }

  /// Both with other sizes, if they can be executed with these. False: they differ.
  bool compareAt(NewSize newSize, First first) {
    std::vector<Way> agreeing;
    std::optional<SizeComparison> unlike;
    verdict::ComparedSize at;
    std::string unlikeSizes;
    const auto compare = [&](const SiblingRunner& runner, const Way& way, const Goal& goal) {
      SizeComparison one = best(runner, way, goal);
      if (one.agrees()) {
        agreeing.push_back(way);
        at = {sizesOf(runner), std::max(at.points, one.points)};
      } else if ((one.end == SizeComparison::End::Compared && one.differing > 0) ||
                 one.end == SizeComparison::End::Failed) {
        if (unlike && unlike->differing <= one.differing) { return false; }
        unlikeSizes = sizesOf(runner);
        unlike = std::move(one);
      }
      return !agreeing.empty() && agreeing.back().own == way.own;
    };
    const auto launch = [&] {
      for (const Way& way : ways_) {
        const Goal goal = goalOf(way, newSize);
        if (goal.own.empty() || !isPossible(way, goal)) { continue; }
        const auto& runner = launchedKernel(way, goal);
        if (!runner || hasFixedGrid(*runner, best(*runner, way, goal))) { continue; }
        launched_ = true;
        compare(*runner, way, goal);
      }
    };
    const auto propose = [&] {
      for (const Way& way : ways_) {
        const Goal goal = goalOf(way, newSize);
        if (goal.own.empty() || !isPossible(way, goal)) { continue; }
        for (const SiblingRunner& runner : proposedKernels(way, goal)) {
          if (compare(runner, way, goal)) { break; }
        }
      }
    };
    if (first == First::Launched) {
      launch();
      if (agreeing.empty() && !unlike) { propose(); }
    } else {
      propose();
      // What is given another size and computes something else does not agree, although its text may be changed, too.
      const bool decided = newSize == smallerSize && unlike && unlike->unwritten < unlike->differing;
      if (agreeing.empty() && !decided) { launch(); }
    }
    if (!agreeing.empty()) {
      ways_ = std::move(agreeing);
      result_.at.push_back(std::move(at));
      ++others_;
      return true;
    }
    if (!unlike) { return true; }
    describe(*unlike, unlikeSizes);
    return false;
  }

  /// A program may launch as many blocks whatever the size: its kernel need not be wrong with more of them, if it has
  /// several.
  [[nodiscard]] bool hasFixedGrid(const SiblingRunner& runner, const SizeComparison& compared) const {
    const LaunchConfiguration& own = own_.launch.configuration;
    const LaunchConfiguration& now = runner.launch.configuration;
    return own.grid.count() > 1 && own.grid == now.grid && own.block == now.block &&
           compared.end == SizeComparison::End::Compared && compared.differing > 0 &&
           compared.unwritten == compared.differing;
  }

  void describe(const SizeComparison& unlike, const std::string& sizes) {
    std::string what = unlike.first;
    if (unlike.end == SizeComparison::End::Failed) {
      what = tr("it leaves its arrays, or does not end");
    } else if (unlike.unwritten == unlike.differing) {
      what = trf("it leaves {} of {} points as they were", unlike.differing, unlike.points);
    }
    result_.why = result_.at.empty() ? trf("it does not compute what {} computes with {}: {}", theirName(), sizes, what)
                                     : trf("it computes the same as {} with {}, but not with {}: {}", theirName(),
                                           verdict::sizesText(result_.at), sizes, what);
  }

  /// "nx = 64, ny = 48", or how many elements there are.
  [[nodiscard]] std::string sizesOf(const SiblingRunner& runner) const {
    std::string text;
    const Pairing& pairing = ways_.front().pairing;
    for (std::size_t i = 0; i < pairing.scalars.size(); ++i) {
      if (!pairing.scalars[i] || !isSize(i)) { continue; }
      const std::size_t scalar = *pairing.scalars[i];
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", scalarOf(own_, scalar).name,
                          checking::integerArgument(runner, scalar));
    }
    const std::int64_t elements = writtenElements(runner);
    return text.empty() ? trn("{} element", "{} elements", static_cast<std::uint64_t>(elements), elements) : text;
  }

  void conclude() {
    if (result_.at.empty()) {
      result_.why = trf(
          "with {} there is no point at which it could differ from {}, and it could not be executed with other sizes",
          sizesOf(own_), theirName());
      return;
    }
    if (others_ == 0) {
      result_.why = trf("it computes the same as {} with {}, and could not be executed with other sizes than its own",
                        theirName(), verdict::sizesText(result_.at));
      return;
    }
    result_.agrees = true;
  }

  const KernelAtSizes& kernel_;
  const KernelAtSizes& reference_;
  const SiblingRunner& own_;
  const SiblingRunner& theirs_;
  bool bothWrite_;
  const std::stop_token& stop_;
  Integers integers_;        ///< the reference's own
  std::vector<bool> sizes_;  ///< of these, those that are sizes
  std::vector<Way> ways_;
  std::vector<TextSize> text_;
  std::map<std::string, std::optional<SiblingRunner>> kernels_, references_;  ///< launched with other sizes
  bool launched_ = false;  ///< by its program, with other sizes than its own
  int others_ = 0;         ///< sizes, other than its own, with which it agrees
  ReferenceVerdict result_;
};

}  // namespace

ReferenceVerdict compareWithReference(const KernelAtSizes& kernel, const KernelAtSizes& reference,
                                      const std::function<bool()>& endsAlike, const std::stop_token& stop) {
  if (kernel.own() == nullptr || reference.own() == nullptr) { return {}; }
  // Where both write the same at the kernel's own sizes, both have to at others.
  ReferenceVerdict verdict = Against(kernel, reference, false, stop).verdict();
  if (!verdict.comparable && endsAlike && endsAlike()) { verdict = Against(kernel, reference, true, stop).verdict(); }
  const auto &text = kernel.row().text, &theirs = reference.row().text;
  const bool sameText = text && theirs && text->text == theirs->text;
  if (!verdict.agrees && (verdict.at.empty() || sameText) && isTheSame(*kernel.own(), *reference.own())) {
    return {.comparable = true, .agrees = true, .at = std::move(verdict.at)};
  }
  return verdict;
}

}  // namespace haloscope::judging
