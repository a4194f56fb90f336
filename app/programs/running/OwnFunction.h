#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "experiment/TapDifference.h"
#include "faults/Finding.h"
#include "host/HostProgram.h"
#include "running/Computation.h"

/// The program's own function that computes what a kernel computes: one of its host half that was called with the same
/// data.
namespace haloscope::running {

/// What the comparison of a kernel with a function of its program says.
struct OwnVerdict {
  std::size_t launch = 0;  ///< index into ProgramRun::launches
  std::string function;
  host::HostPlace at;
  std::optional<faults::Finding> finding{};  ///< none: the kernel matches
  bool onOtherData = false;                  ///< not only on the program's own, where coefficients may be equal
  /// Of one that differs nearly everywhere: whether it does so in a few taps alone, by one factor, or by other weights
  /// of the same neighbours. Otherwise nothing says that it is meant to compute the same.
  bool meant = true;
  /// With coefficients that all differ it is another filter, or has all weights of the function times one factor; it
  /// differs at the border of its array alone. A function that another kernel computes is then no reference of it.
  bool isOther = false, atBorder = false;
  /// It takes the same neighbours to another result, as another rule does, or all weights times one factor. Then it has
  /// to be compared with the function by the program itself.
  bool isOtherRule = false;
  /// The finding does not hold if the program's own comparison accepts the result, which may look at a part of it.
  bool unlessAccepted = false;
};

/// Compares kernels with the functions of their program: on the program's own data, then both on data in which no two
/// coefficients are equal, for which the host half calls its functions again at the end, a limited number of times.
/// What takes too long is not compared.
class OwnFunctions {
 public:
  /// `mostBytes`: of all computations, where parameters that point into the same memory have a copy each.
  OwnFunctions(std::vector<ExecutedKernel> kernels, std::vector<OwnCall> calls, std::uint64_t mostBytes,
               std::stop_token stop);

  /// A call that the host half is to make again.
  struct Request {
    std::vector<std::uint64_t> list{};  ///< see host::Returned
    std::vector<std::vector<std::byte>> blocks{};
  };
  /// The next one, if any.
  [[nodiscard]] std::optional<Request> next();
  /// What came of it; empty: nothing.
  void answer(std::vector<std::vector<std::byte>> blocks);

  [[nodiscard]] const std::vector<OwnVerdict>& verdicts() const { return verdicts_; }

 private:
  /// A function that is to be called again.
  struct Match {
    std::size_t kernel = 0, call = 0;
    std::optional<std::size_t> verdict{};  ///< of the two so far
    std::shared_ptr<const Computation> of, other;
    Correspondence pairs;
    Correspondence::Pair output;
    std::optional<std::size_t> steps{};  ///< the number that says how many launches the function stands for
    bool onOtherData = true;
    std::optional<ComputedDifference> onOwnData{};  ///< says too little: only other data can tell, and gives a verdict
    /// On the program's own data, with other contents of the output before: which of its points the function sets to
    /// what they were is to be seen first.
    bool isMarked = false;
    OtherData data{};
  };

  /// An array of more elements is an input, and no filter.
  static constexpr std::int64_t kMostInFilter = 1024;

  /// Of elements of its own data, for one question.
  static constexpr std::size_t kChanges = 16;

  /// Whether a computation of this size can still be kept.
  [[nodiscard]] bool takes(std::uint64_t bytes);
  /// A difference to be explained: both are to compute again, with an input that is zero but for one element.
  struct Question {
    std::size_t verdict = 0;
    Match match;
    std::size_t input = 0;  ///< index into Correspondence::inputs
    std::vector<std::int64_t> elements;
    bool few = true;                               ///< what was found differs in a few taps, see TapDifference
    std::size_t asked = 0;                         ///< how many of them; the first time none is
    std::optional<ArrayData> expected{}, found{};  ///< the results if all is zero, or if nothing is changed
    /// Impulses do not explain it: elements of its own data are changed.
    bool changes = false;
    bool isAnywhere = false;  ///< then they differ at other points, as other rules do
    experiment::Dependence onFunction{}, onKernel{};
  };

  void compare(std::size_t kernel);
  void addWrong(const Match& match, const ComputedDifference& difference, const std::string& where);
  [[nodiscard]] bool isMoreThan(const Computation& of, const ComputedArray& expected,
                                const ComputedArray& result) const;
  [[nodiscard]] ComputedDifference overwrittenBorder(const Match& match, const ComputedArray& expected,
                                                     const ArrayData& found, const ComputedDifference& inner) const;
  void ask(std::size_t verdict, const Match& match, const ComputedDifference& difference);
  void prepare(Question& question);
  [[nodiscard]] Request requestFor(const Match& match) const;
  [[nodiscard]] bool explain(Question& question, const ArrayData& expected);
  [[nodiscard]] bool explainByChanges(Question& question, const ArrayData& expected);
  [[nodiscard]] bool differsAnywhere(const Question& question, const ArrayData& expected, const ArrayData& found) const;
  [[nodiscard]] std::optional<ArrayData> resultFor(const Question& question) const;
  [[nodiscard]] experiment::TapNames namesFor(const Question& question) const;
  void decide(const Match& match, const ComputedDifference& found);
  void decideMarked(Match match, const ArrayData& expected);
  [[nodiscard]] std::size_t callsOf(const host::HostFunction& function) const;
  [[nodiscard]] OwnVerdict verdictOf(const Match& match) const;
  [[nodiscard]] OwnVerdict verdictOf(const Match& match, const ComputedDifference& difference,
                                     const std::string& where) const;

  std::vector<ExecutedKernel> kernels_;
  std::vector<OwnCall> calls_;
  std::uint64_t mostBytes_;
  ComparisonLimit limit_;                                     ///< of all comparisons
  std::vector<std::shared_ptr<const Computation>> computed_;  ///< by the calls, while kernels are compared with them
  std::uint64_t computedBytes_ = 0;                           ///< of all computations
  std::vector<OwnVerdict> verdicts_;
  std::vector<Match> matches_;  ///< still to be compared on other data
  std::optional<Match> asked_;
  std::vector<Question> questions_;  ///< asked when all else is known, the last one first
  std::size_t asks_ = 0;
};

}  // namespace haloscope::running
