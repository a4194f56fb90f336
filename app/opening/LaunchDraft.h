#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "opening/HostCode.h"
#include "opening/LaunchProposal.h"
#include "opening/LaunchTrial.h"
#include "opening/OpenedFile.h"
#include "opening/ProgramFacts.h"
#include "program/Program.h"

namespace haloscope::opening {

/// A launch while it is being proposed: what is known so far, and what follows from it.
struct LaunchDraft {
  LaunchDraft(ProposedKernel& proposed, const Program& lowered, const LaunchClues& given);

  ProposedKernel& kernel;
  KernelFile& file;  ///< the kernel's
  const Program& program;
  const LaunchClues& clues;
  ProgramFacts facts;
  std::array<std::optional<std::int64_t>, 3> strides;  ///< see blockStrides()
  std::map<std::string, std::int64_t> constants;       ///< of the text, by name
  const HostCode::LaunchCall* call = nullptr;          ///< the host's; null: there is none
  int rank = 1;                                        ///< of the arrays: 1 to 3
  HostCode::Given known{};                             ///< sizes: by the parameter's name and by the host's
  std::map<std::string, std::string> hostNames{};      ///< of sizes, by parameter
  std::map<std::string, double> numbers{};             ///< other scalars
  std::vector<int> axes{};                             ///< of each of file.sizes, see axisOf()
  std::set<std::string> reduced{};                     ///< sizes that are opened at less than the host's value

  /// Something that the text does not say, as a sentence.
  void assume(std::string sentence);

  /// What the host passes for a parameter, or for the struct that it is a field of; null where that is not known.
  [[nodiscard]] const HostCode::Tokens* argument(const Parameter& parameter) const;
  /// "nx" of "grid.nx"; empty for what is no field of a struct.
  [[nodiscard]] static std::string pathOf(const Parameter& parameter);
  [[nodiscard]] std::optional<double> passedNumber(const Parameter& parameter, const HostCode::Given& given) const;

  /// The axis that a parameter gives the size along, see axisOf(). A whole number that is the only one counts points,
  /// whatever its name.
  [[nodiscard]] std::optional<int> axisAlong(const Parameter& parameter) const;

  /// Points along an axis where nothing says how many.
  [[nodiscard]] std::int64_t usualSize(int axis) const;
  /// Name (or number) of the extent along an axis.
  [[nodiscard]] std::string extent(int axis) const;
  /// Of an extent, at the defaults.
  [[nodiscard]] std::int64_t value(const std::string& extent) const;
  [[nodiscard]] std::int64_t filterWidth() const;
  /// Global arrays that are read: with a single one, it is the input whatever its name.
  [[nodiscard]] int readArrays() const;
  /// Whether an array behind a pointer is a filter: by its name, but the first of several that are named so is read
  /// through it (M and F of `convolve(M, F, P)`).
  [[nodiscard]] bool isWeights(ObjectId object) const;
  [[nodiscard]] std::int64_t elementsOf(const std::string& array) const;

  /// What the launch does as it is drafted.
  [[nodiscard]] LaunchTrial tryLaunch() const;
};

}  // namespace haloscope::opening
