#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "host/HostFunction.h"
#include "host/HostMessages.h"
#include "program/Launch.h"
#include "running/ProgramRun.h"

/// What a kernel or a function of the host half was given and made of it, so that two of them can be compared: on the
/// program's own data, and on data in which no two coefficients are equal.
namespace haloscope::running {

/// When a comparison ends, finished or not.
struct ComparisonLimit {
  std::stop_token stop{};
  std::chrono::steady_clock::time_point until{};

  [[nodiscard]] bool isReached() const { return stop.stop_requested() || std::chrono::steady_clock::now() >= until; }
};

struct ComputedArray {
  std::string name;
  ArrayData before, after;  ///< one extent: from where the pointer points to the end
  bool reads = false, writes = false;
  bool isVariable = false;  ///< of the device
};

struct ComputedNumber {
  std::string name;
  ValueType type = ValueType::F32;
  std::uint64_t bits = 0;
  bool isCoefficient = false;  ///< see analysis::coefficientArguments(); for a function of the host any number
};
[[nodiscard]] double valueOf(const ComputedNumber& number);

struct Computation {
  std::vector<ComputedArray> arrays;
  std::vector<ComputedNumber> numbers;
};

/// A launch of a kernel that was executed whole.
struct ExecutedKernel {
  std::size_t launch = 0;    ///< index into ProgramRun::launches
  std::size_t launches = 1;  ///< of this kernel in the program
  KeptLaunch before;
  std::map<ObjectId, std::vector<std::byte>> after{};  ///< of the arrays that it writes
  std::vector<std::byte> copied{};  ///< what the program copied last of an array that this kernel wrote; may be empty
};
[[nodiscard]] Computation computationOf(const ExecutedKernel& kernel);
/// What the arrays of its computation hold.
[[nodiscard]] std::uint64_t computedBytes(const ExecutedKernel& kernel);

/// A call of a function of the host half, see host::FunctionCall.
struct OwnCall {
  host::HostFunction function;
  std::vector<std::uint64_t> arguments, offsets;
  std::vector<std::vector<std::byte>> before, after;
  bool unchanged = false;  ///< the program has left its results as they were
};
/// Throws InputError if the message is none of an honest process.
[[nodiscard]] OwnCall ownCallOf(const host::FunctionCall& message, std::vector<std::vector<std::byte>> before,
                                std::vector<std::vector<std::byte>> after);
[[nodiscard]] Computation computationOf(const OwnCall& call);
[[nodiscard]] std::uint64_t computedBytes(const OwnCall& call);

/// Which arrays of two computations held the same when they began, and which have their results.
struct Correspondence {
  struct Pair {
    std::size_t of = 0, other = 0;  ///< indices into their arrays, or numbers
  };
  std::vector<Pair> inputs, numbers;
  std::vector<Pair> outputs;
};
/// None if `of` read an array that `other` was not given, or if no array that they have in common tells their data from
/// any other, or at the limit.
[[nodiscard]] std::optional<Correspondence> correspondence(const Computation& of, const Computation& other,
                                                           const ComparisonLimit& limit);

/// Whether all its elements are the same.
[[nodiscard]] bool isConstant(const ArrayData& array);

/// Where a result differs from the expected one, among the points that the expected one was written at. Nothing is
/// compared once the limit is reached.
struct ComputedDifference {
  std::int64_t points = 0;  ///< that both have
  std::int64_t compared = 0, count = 0;
  std::vector<std::int64_t> wrong{};  ///< the points that differ, ascending: the first ones
  double expected = 0, found = 0;     ///< at the first of them
};
[[nodiscard]] ComputedDifference differenceOf(const ArrayData& expectedBefore, const ArrayData& expected,
                                              const ArrayData& found, const ComparisonLimit& limit);

/// Where a result differs from an expected one that was not written there, and that began with the same contents.
/// Nothing is compared where these do not tell what is to stay there: they differ, or are all one value.
[[nodiscard]] ComputedDifference overwrittenIn(const ComputedArray& expected, const ArrayData& before,
                                               const ArrayData& found, const ComparisonLimit& limit);

/// Where a kernel has changed its result, and the expected one has not changed: it was not written there, or with what
/// was there already.
[[nodiscard]] ComputedDifference changedBeyond(const ComputedArray& expected, const ComputedArray& found,
                                               const ComparisonLimit& limit);

/// Whether two computations made the same of the same data.
[[nodiscard]] bool haveSameResult(const Computation& one, const Computation& other, const ComparisonLimit& limit);

/// New data for two computations that correspond: equal arrays stay equal, and all coefficients differ. By index of
/// their arrays and numbers.
struct OtherData {
  std::map<std::size_t, ArrayData> of, other;
  std::map<std::size_t, std::uint64_t> numbersOf, numbersOther;
  bool isBeyond = false;  ///< pictures have darker and lighter points than the program's
};
/// In the range of the program's data; with `beyond` pictures of bytes have all values. Coefficients all differ, but
/// for those of a symmetric filter, which may be flipped.
[[nodiscard]] OtherData otherData(const Computation& of, const Computation& other, const Correspondence& pairs,
                                  bool beyond = false);

/// Executes a kernel again with other arrays and numbers: its arrays afterwards. None if it does not end or leaves its
/// arrays.
[[nodiscard]] std::optional<std::vector<ArrayData>> executeAgain(const ExecutedKernel& kernel,
                                                                 const std::map<std::size_t, ArrayData>& arrays,
                                                                 const std::map<std::size_t, std::uint64_t>& numbers,
                                                                 const std::stop_token& stop);

}  // namespace haloscope::running
