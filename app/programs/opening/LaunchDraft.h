#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "opening/LaunchProposal.h"
#include "opening/LaunchTrial.h"
#include "opening/OpenedFile.h"
#include "opening/ProgramFacts.h"
#include "program/Program.h"

namespace haloscope::opening {

/// A launch that is being proposed: what is known so far, and what follows from it.
struct LaunchDraft {
  LaunchDraft(ProposedKernel& proposed, const Program& lowered, const LaunchClues& given);

  ProposedKernel& kernel;
  KernelFile& file;  ///< the kernel's
  const Program& program;
  const LaunchClues& clues;
  ProgramFacts facts;
  std::array<std::optional<std::int64_t>, 3> strides;  ///< see blockStrides()
  std::map<std::string, std::int64_t> constants;       ///< of the text, by name
  int rank = 1;                                        ///< of the arrays, 1 to 3
  std::map<std::string, double> numbers{};             ///< other scalars
  std::vector<int> axes{};                             ///< of each of file.sizes, see axisOf()

  /// Records an assumption, as a sentence.
  void assume(std::string sentence);

  /// What the executed launch passed for a parameter.
  [[nodiscard]] std::optional<double> passedNumber(const Parameter& parameter) const;

  /// The axis whose size a parameter gives, see axisOf(). The only integer parameter is the number of points, whatever
  /// its name.
  [[nodiscard]] std::optional<int> axisAlong(const Parameter& parameter) const;

  /// The number of points along an axis if nothing determines it.
  [[nodiscard]] std::int64_t usualSize(int axis) const;
  /// Name (or number) of the extent along an axis.
  [[nodiscard]] std::string extent(int axis) const;
  /// The value of an extent, at the defaults.
  [[nodiscard]] std::int64_t value(const std::string& extent) const;
  [[nodiscard]] std::int64_t filterWidth() const;
  /// The number of global arrays that are read; a single one is the input, whatever its name.
  [[nodiscard]] int readArrays() const;
  /// Whether an array behind a pointer is a filter, by its name; of several with such a name the first is the input (M
  /// and F in `convolve(M, F, P)`).
  [[nodiscard]] bool isWeights(ObjectId object) const;
  [[nodiscard]] std::int64_t elementsOf(const std::string& array) const;

  /// What the drafted launch does in a trial run.
  [[nodiscard]] LaunchTrial tryLaunch() const;

 private:
  /// Whether a depth is the second axis of a plane: nx and nz, and blocks along x and y.
  [[nodiscard]] bool isUpright(const Parameter& parameter) const;
};

}  // namespace haloscope::opening
